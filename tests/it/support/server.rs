//! A loopback server that answers by a script and keeps what it was asked.

use serde_json::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How an answer ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Whole,
    /// The connection goes away in the middle of the body.
    Cut,
    /// Nothing is ever sent.
    Never,
}

/// What the server does with one request.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    status: u16,
    headers: Vec<(&'static str, &'static str)>,
    body: Vec<u8>,
    end: End,
}

impl Answer {
    pub(crate) fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: body.into(),
            end: End::Whole,
        }
    }

    /// No answer at all, on an open connection.
    pub(crate) fn never() -> Self {
        Self {
            end: End::Never,
            ..Self::new(200, "")
        }
    }

    pub(crate) fn header(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Ends the body, which says that more is to come, after these bytes.
    pub(crate) fn cut(mut self, length: usize) -> Self {
        self.body.truncate(length);
        self.end = End::Cut;
        self
    }
}

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) head: String,
    pub(crate) body: String,
    pub(crate) at: Instant,
}

impl Request {
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    /// Names of the tools on offer.
    pub(crate) fn tools(&self) -> Vec<String> {
        let body = self.json();
        let tools = body["tools"].as_array().cloned().unwrap_or_default();
        tools
            .iter()
            .map(|tool| tool["function"]["name"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The tool results in it: id of the call, and text.
    pub(crate) fn results(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let body = self.json();
        let messages = body["messages"].as_array().unwrap();
        messages
            .iter()
            .filter(|message| message["role"] == "tool")
            .map(|message| (text(&message["tool_call_id"]), text(&message["content"])))
            .collect()
    }
}

#[derive(Debug, Default)]
struct Log {
    requests: Vec<Request>,
    /// Connections that the client closed while an answer was due.
    abandoned: usize,
}

#[derive(Default)]
struct Shared {
    log: Mutex<Log>,
    changed: Condvar,
    stopped: AtomicBool,
}

/// Answers one request after the other; the last answer of the script is repeated.
pub(crate) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl Server {
    pub(crate) fn start(script: impl IntoIterator<Item = Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        let (script, log) = (script.into_iter().collect::<Vec<_>>(), Arc::clone(&shared));
        thread::spawn(move || {
            for stream in listener.incoming() {
                if log.stopped.load(Ordering::Relaxed) {
                    return;
                }
                // The other side may go away at any time; the test sees that in its own way.
                drop(stream.and_then(|stream| serve(stream, &script, &log)));
            }
        });
        Self { address, shared }
    }

    pub(crate) fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.shared.log.lock().unwrap().requests.clone()
    }

    /// Waits until so many requests have come.
    #[track_caller]
    pub(crate) fn wait_for_requests(&self, count: usize) {
        self.wait(&|log: &Log| log.requests.len() >= count);
    }

    /// Waits until the client has closed the connection on which it got no answer.
    #[track_caller]
    pub(crate) fn wait_for_hang_up(&self) {
        self.wait(&|log: &Log| log.abandoned > 0);
    }

    #[track_caller]
    fn wait(&self, there: &dyn Fn(&Log) -> bool) {
        let log = self.shared.log.lock().unwrap();
        let patience = Duration::from_secs(20);
        let (_log, timeout) = self
            .shared
            .changed
            .wait_timeout_while(log, patience, |log| !there(log))
            .unwrap();
        assert!(!timeout.timed_out(), "it never came");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::Relaxed);
        // Wakes the thread.
        drop(TcpStream::connect(self.address));
    }
}

fn serve(mut stream: TcpStream, script: &[Answer], shared: &Shared) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let Some(request) = read(&mut stream)? else {
        return Ok(());
    };
    let answer = {
        let mut log = shared.log.lock().unwrap();
        log.requests.push(request);
        let position = log.requests.len().min(script.len()) - 1;
        script[position].clone()
    };
    shared.changed.notify_all();
    if answer.end == End::Never {
        // Ends with the connection.
        let ended = stream.read(&mut [0]);
        if matches!(ended, Ok(0))
            || ended.is_err_and(|error| error.kind() == std::io::ErrorKind::ConnectionReset)
        {
            shared.log.lock().unwrap().abandoned += 1;
            shared.changed.notify_all();
        }
        return Ok(());
    }
    let mut head = format!("HTTP/1.1 {} X\r\nconnection: close\r\n", answer.status);
    for (name, value) in &answer.headers {
        head.extend([name, ": ", value, "\r\n"]);
    }
    let promised = answer.body.len() + usize::from(answer.end == End::Cut);
    head.extend(["content-length: ", &promised.to_string(), "\r\n\r\n"]);
    stream.write_all(head.as_bytes())?;
    stream.write_all(&answer.body)
}

fn read(stream: &mut TcpStream) -> std::io::Result<Option<Request>> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        if let Some(at) = bytes.windows(4).position(|end| end == b"\r\n\r\n") {
            let head = String::from_utf8(bytes[..at].to_vec()).unwrap();
            let length: usize = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "))
                .map_or(0, |length| length.parse().unwrap());
            if bytes.len() >= at + 4 + length {
                let body = String::from_utf8(bytes.split_off(at + 4)).expect("a body is UTF-8");
                let at = Instant::now();
                return Ok(Some(Request { head, body, at }));
            }
        }
        match stream.read(&mut buffer)? {
            0 => return Ok(None),
            count => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}
