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
    /// An event every so many milliseconds.
    Slow(u64),
}

/// What the server does with one request.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
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

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sends the events of a stream one by one, with this pause between them.
    #[cfg(target_os = "linux")]
    pub(crate) fn slow(mut self, pause: Duration) -> Self {
        self.end = End::Slow(pause.as_millis().try_into().unwrap());
        self
    }

    /// For a server in another process.
    #[cfg(target_os = "linux")]
    pub(super) fn to_json(&self) -> Value {
        let end = match self.end {
            End::Whole => serde_json::json!("whole"),
            End::Cut => serde_json::json!("cut"),
            End::Never => serde_json::json!("never"),
            End::Slow(pause) => serde_json::json!(pause),
        };
        let body = std::str::from_utf8(&self.body).unwrap();
        serde_json::json!([self.status, self.headers, body, end])
    }

    #[cfg(target_os = "linux")]
    pub(super) fn of_json(json: &Value) -> Self {
        let end = match &json[3] {
            Value::String(word) if word == "whole" => End::Whole,
            Value::String(word) if word == "cut" => End::Cut,
            Value::String(_) => End::Never,
            pause => End::Slow(pause.as_u64().unwrap()),
        };
        let status = json[0].as_u64().unwrap().try_into().unwrap();
        let mut answer = Self::new(status, json[2].as_str().unwrap());
        answer.end = end;
        for header in json[1].as_array().unwrap() {
            answer = answer.header(header[0].as_str().unwrap(), header[1].as_str().unwrap());
        }
        answer
    }

    /// Sends it; whether the client closed the connection on which it got no answer.
    pub(super) fn send(&self, stream: &mut TcpStream) -> std::io::Result<bool> {
        if self.end == End::Never {
            // Ends with the connection.
            let ended = stream.read(&mut [0]);
            return Ok(matches!(ended, Ok(0))
                || ended.is_err_and(|error| error.kind() == std::io::ErrorKind::ConnectionReset));
        }
        let mut head = format!("HTTP/1.1 {} X\r\nconnection: close\r\n", self.status);
        for (name, value) in &self.headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        let promised = self.body.len() + usize::from(self.end == End::Cut);
        head.extend(["content-length: ", &promised.to_string(), "\r\n\r\n"]);
        stream.write_all(head.as_bytes())?;
        if let End::Slow(pause) = self.end {
            for event in self.body.split_inclusive(|byte| *byte == b'\n') {
                stream.write_all(event)?;
                if event != b"\n" {
                    thread::sleep(Duration::from_millis(pause));
                }
            }
            return Ok(false);
        }
        stream.write_all(&self.body)?;
        Ok(false)
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
    if answer.send(&mut stream)? {
        shared.log.lock().unwrap().abandoned += 1;
        shared.changed.notify_all();
    }
    Ok(())
}

pub(super) fn read(stream: &mut TcpStream) -> std::io::Result<Option<Request>> {
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
