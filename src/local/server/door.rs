//! The keeper's port. Anybody on this machine may connect; who doesn't know the token gets nothing.

use super::protocol::{Ask, Say, line, read};
use std::io::{self, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

/// A connection that hasn't said the token by then is closed.
const HELLO: Duration = Duration::from_secs(5);
/// Most connections at once.
const MOST_CONNECTIONS: usize = 256;
/// Until the next try to take one, after a failure.
const RETRY: Duration = Duration::from_millis(50);

pub(super) type LeaseId = u64;

/// What reaches the keeper's own thread.
pub(super) enum Event {
    Opened(LeaseId, TcpStream),
    Asked(LeaseId, Ask),
    Closed(LeaseId),
}

/// Takes connections, a thread each.
pub(super) fn accept(listener: &TcpListener, token: &str, events: &Sender<Event>) {
    let all = Arc::new(());
    let mut id = 0;
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // Out of file descriptors, most likely; others may be closed soon.
            thread::sleep(RETRY);
            continue;
        };
        if Arc::strong_count(&all) > MOST_CONNECTIONS {
            continue;
        }
        id += 1;
        let (token, events, one) = (token.to_owned(), events.clone(), Arc::clone(&all));
        let serve = move || {
            listen(id, stream, &token, &events);
            drop(one);
        };
        // Out of threads; the connection is closed.
        drop(thread::Builder::new().stack_size(64 * 1024).spawn(serve));
    }
}

/// Reads until a moment, however slowly the bytes come.
struct Until<'s>(&'s TcpStream, Instant);

impl io::Read for Until<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.1.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.0.set_read_timeout(Some(left))?;
        self.0.read(buffer)
    }
}

/// Reads what one process says.
fn listen(id: LeaseId, mut stream: TcpStream, token: &str, events: &Sender<Event>) {
    let Ok(reader) = stream.try_clone() else {
        return;
    };
    if stream.set_nodelay(true).is_err() {
        return;
    }
    // Nothing follows the hello before the welcome, so this reader holds nothing back.
    let hello = Until(&stream, Instant::now() + HELLO);
    match read(&mut BufReader::with_capacity(1024, hello)) {
        Ok(Some(Ask::Hello { token: said })) if is_same(&said, token) => {}
        _ => return,
    }
    if stream.set_read_timeout(None).is_err() || stream.write_all(&line(&Say::Welcome)).is_err() {
        return;
    }
    if events.send(Event::Opened(id, stream)).is_err() {
        return;
    }
    let mut reader = BufReader::with_capacity(1024, reader);
    while let Ok(Some(ask)) = read(&mut reader) {
        if events.send(Event::Asked(id, ask)).is_err() {
            return;
        }
    }
    drop(events.send(Event::Closed(id)));
}

/// Takes the same time wherever they differ.
fn is_same(said: &str, token: &str) -> bool {
    let differ = said
        .bytes()
        .zip(token.bytes())
        .fold(0, |differ, (left, right)| differ | (left ^ right));
    said.len() == token.len() && differ == 0
}
