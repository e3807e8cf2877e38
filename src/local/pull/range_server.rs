//! A loopback file server for tests that breaks in the ways in which real ones do.

use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// One request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    /// From 0.
    pub(super) number: usize,
    pub(super) path: String,
    /// Of a `Range` header.
    pub(super) start: Option<usize>,
}

/// What comes back.
pub(super) struct Reply {
    pub(super) status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
    sent: usize,
    then: Then,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    Close,
    Stall,
}

impl Reply {
    pub(super) fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Vec::new(),
            sent: 0,
            then: Then::Close,
        }
    }

    pub(super) fn redirect(to: &str) -> Self {
        Self::status(302).header("location", to)
    }

    /// All of it, whatever was asked for.
    pub(super) fn whole(body: &[u8]) -> Self {
        let mut reply = Self::status(200);
        reply.body = body.to_vec();
        reply.sent = body.len();
        reply
    }

    /// All of it, without its length.
    pub(super) fn chunked(body: &[u8]) -> Self {
        let mut chunked = format!("{:x}\r\n", body.len()).into_bytes();
        chunked.extend_from_slice(body);
        chunked.extend_from_slice(b"\r\n0\r\n\r\n");
        Self::whole(&chunked).header("transfer-encoding", "chunked")
    }

    /// What was asked for.
    pub(super) fn range(body: &[u8], asked: &Asked) -> Self {
        let Some(start) = asked.start else {
            return Self::whole(body);
        };
        let total = body.len();
        if start >= total {
            return Self::status(416);
        }
        let mut reply = Self::whole(&body[start..]);
        reply.status = 206;
        reply.header(
            "content-range",
            &format!("bytes {start}-{}/{total}", total - 1),
        )
    }

    pub(super) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// Closes the connection after so many bytes of the body.
    pub(super) fn cut(mut self, after: usize) -> Self {
        self.sent = after.min(self.body.len());
        self
    }

    /// Says nothing more after so many bytes of the body.
    pub(super) fn stall(mut self, after: usize) -> Self {
        self.then = Then::Stall;
        self.cut(after)
    }
}

/// Runs until its runtime ends.
pub(super) struct RangeServer {
    pub(super) base: String,
    log: Arc<Mutex<(Vec<Asked>, usize)>>,
}

impl RangeServer {
    pub(super) async fn start(answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let log = Arc::new(Mutex::new((Vec::new(), 0)));
        let (shared, answer) = (Arc::clone(&log), Arc::new(answer));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (log, answer) = (Arc::clone(&shared), Arc::clone(&answer));
                tokio::spawn(async move { serve(stream, &*answer, &log).await });
            }
        });
        Self { base, log }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    pub(super) fn asked(&self) -> Vec<Asked> {
        self.log.lock().unwrap().0.clone()
    }

    /// Bytes of bodies that were sent.
    pub(super) fn sent(&self) -> usize {
        self.log.lock().unwrap().1
    }
}

async fn serve(
    mut stream: TcpStream,
    answer: &(dyn Fn(&Asked) -> Reply + Send + Sync),
    log: &Mutex<(Vec<Asked>, usize)>,
) -> Option<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).ok()?.to_lowercase();
    let range = head
        .lines()
        .find_map(|line| line.strip_prefix("range: bytes="));
    let reply = {
        let mut log = log.lock().unwrap();
        let asked = Asked {
            number: log.0.len(),
            path: head.split(' ').nth(1)?.to_owned(),
            start: range.map(|range| range.trim_end_matches('-').parse().unwrap()),
        };
        let reply = answer(&asked);
        log.0.push(asked);
        log.1 += reply.sent;
        reply
    };
    let mut text = format!("HTTP/1.1 {} X\r\nconnection: close\r\n", reply.status);
    if !reply
        .headers
        .iter()
        .any(|(name, _)| *name == "transfer-encoding")
    {
        text.extend(["content-length: ", &reply.body.len().to_string(), "\r\n"]);
    }
    for (name, value) in &reply.headers {
        text.extend([name, ": ", value, "\r\n"]);
    }
    text.push_str("\r\n");
    stream.write_all(text.as_bytes()).await.ok()?;
    stream.write_all(&reply.body[..reply.sent]).await.ok()?;
    if reply.then == Then::Stall {
        // Until the client gives up.
        drop(stream.read_u8().await);
    }
    stream.shutdown().await.ok()
}
