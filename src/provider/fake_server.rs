//! A loopback server for tests: answers requests in the order of a script.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// How a body is cut into portions.
#[derive(Debug, Clone, Copy)]
pub(super) enum Split {
    Whole,
    Every(usize),
    /// Portions of 1 to 40 bytes, from a seed.
    Random(u64),
}

/// What the server does with one request.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
    pub(super) split: Split,
    /// Close the connection in the middle of the chunked body.
    pub(super) cut: bool,
    /// Wait before the head of the answer.
    pub(super) delay: Duration,
}

impl Answer {
    pub(super) fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        let (headers, delay) = (Vec::new(), Duration::ZERO);
        Self {
            status,
            headers,
            body: body.into(),
            split: Split::Whole,
            cut: false,
            delay,
        }
    }

    pub(super) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(super) fn split(mut self, split: Split) -> Self {
        self.split = split;
        self
    }

    pub(super) fn cut(mut self) -> Self {
        self.cut = true;
        self
    }

    pub(super) fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    fn portions(&self) -> Vec<&[u8]> {
        let mut rest = self.body.as_slice();
        let mut portions = Vec::new();
        let mut seed = match self.split {
            Split::Random(seed) => seed,
            _ => 0,
        };
        while !rest.is_empty() {
            let size = match self.split {
                Split::Whole => rest.len(),
                Split::Every(size) => size,
                Split::Random(_) => {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    usize::try_from(seed >> 33).unwrap() % 40 + 1
                }
            };
            let (portion, after) = rest.split_at(size.min(rest.len()));
            portions.push(portion);
            rest = after;
        }
        portions
    }
}

#[derive(Debug, Default)]
struct Log {
    requests: Vec<String>,
    connections: usize,
    /// Connections that the client closed while an answer was due.
    abandoned: usize,
}

/// Runs until dropped with its runtime. The last answer of the script is repeated.
pub(super) struct FakeServer {
    pub(super) base_url: String,
    log: Arc<Mutex<Log>>,
}

impl FakeServer {
    pub(super) async fn start(script: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let log = Arc::new(Mutex::new(Log::default()));
        let (shared, script) = (Arc::clone(&log), Arc::new(script));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                shared.lock().unwrap().connections += 1;
                tokio::spawn(serve(stream, Arc::clone(&script), Arc::clone(&shared)));
            }
        });
        Self { base_url, log }
    }

    /// Requests so far: head and body as sent.
    pub(super) fn requests(&self) -> Vec<String> {
        self.log.lock().unwrap().requests.clone()
    }

    pub(super) fn connections(&self) -> usize {
        self.log.lock().unwrap().connections
    }

    pub(super) fn abandoned(&self) -> usize {
        self.log.lock().unwrap().abandoned
    }
}

async fn serve(
    mut stream: TcpStream,
    script: Arc<Vec<Answer>>,
    log: Arc<Mutex<Log>>,
) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    loop {
        let request = read_request(&mut stream).await?;
        let position = {
            let mut log = log.lock().unwrap();
            log.requests.push(request);
            log.requests.len().min(script.len()) - 1
        };
        let answer = &script[position];
        if !answer.delay.is_zero() {
            let mut byte = [0];
            tokio::select! {
                () = tokio::time::sleep(answer.delay) => {}
                _ = stream.read(&mut byte) => {
                    log.lock().unwrap().abandoned += 1;
                    return None;
                }
            }
        }
        let mut head = format!(
            "HTTP/1.1 {} X\r\ntransfer-encoding: chunked\r\n",
            answer.status
        );
        for (name, value) in &answer.headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        head.push_str("\r\n");
        stream.write_all(head.as_bytes()).await.ok()?;
        for portion in answer.portions() {
            let mut chunk = format!("{:x}\r\n", portion.len()).into_bytes();
            chunk.extend_from_slice(portion);
            chunk.extend_from_slice(b"\r\n");
            stream.write_all(&chunk).await.ok()?;
        }
        if answer.cut {
            return None;
        }
        stream.write_all(b"0\r\n\r\n").await.ok()?;
    }
}

async fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return Some(text);
            }
        }
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}
