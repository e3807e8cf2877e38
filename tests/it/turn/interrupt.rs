//! Ctrl-C, and an end that nothing can be prepared for.
#![cfg(unix)]

use super::ask;
use crate::support::{Answer, Server};
use std::time::{Duration, Instant};

#[test]
fn ctrl_c_ends_a_turn_at_once_with_code_130() {
    let server = Server::start([Answer::never()]);
    let running = ask(&server).start();
    server.wait_for_requests(1);
    let since = Instant::now();
    running.interrupt();
    let ran = running.wait();
    assert!(
        since.elapsed() < Duration::from_secs(2),
        "{:?}",
        since.elapsed()
    );
    ran.exits(130).prints("").notes("interrupted\n");
    // Nobody is left on the other end.
    server.wait_for_hang_up();
    assert!(ran.home.files().is_empty());
}

#[test]
fn ctrl_c_ends_the_wait_before_a_retry() {
    let busy = Answer::new(429, "{}").header("retry-after", "50");
    let server = Server::start([busy]);
    let running = ask(&server).start();
    server.wait_for_requests(1);
    // It has the answer when the wait is announced; until then the signal ends the request.
    let since = Instant::now();
    running.interrupt();
    running.wait().exits(130).prints("");
    assert!(
        since.elapsed() < Duration::from_secs(2),
        "{:?}",
        since.elapsed()
    );
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_killed_turn_leaves_nothing_half_written() {
    let server = Server::start([Answer::never()]);
    let running = ask(&server).start();
    server.wait_for_requests(1);
    let home = running.kill();
    server.wait_for_hang_up();
    assert_eq!(home.files(), Vec::<String>::new());
}
