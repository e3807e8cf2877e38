//! The keeper's port: what it does with strangers and with leases, played step by step.
#![expect(
    clippy::disallowed_methods,
    reason = "tests write and remove their own folders only"
)]

use crate::support::Local;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

const HELLO: &str = "Hello from the engine.\n";

/// A connection to the only keeper, nothing said yet.
fn knock(local: &Local) -> TcpStream {
    let port = local.record()["port"].as_u64().unwrap().try_into().unwrap();
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(10)))
        .unwrap();
    stream
}

/// Whether the other side closes without a word.
#[track_caller]
fn is_closed(mut stream: TcpStream) {
    let mut rest = Vec::new();
    match stream.read_to_end(&mut rest) {
        Ok(_) => {}
        Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset),
    }
    assert!(rest.is_empty(), "{}", String::from_utf8_lossy(&rest));
}

/// A process that asks, played.
struct Lease(BufReader<TcpStream>);

impl Lease {
    fn new(local: &Local) -> Self {
        let mut lease = Self(BufReader::new(knock(local)));
        lease.say(&json!({"hello": {"token": local.record()["token"]}}));
        assert_eq!(lease.hears(), "welcome");
        lease
    }

    fn say(&mut self, what: &Value) {
        writeln!(self.0.get_mut(), "{what}").unwrap();
    }

    fn hears(&mut self) -> Value {
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or(Value::Null)
    }

    /// Asks and waits; whether the engine was started for it.
    #[track_caller]
    fn begin(&mut self) -> bool {
        self.say(&json!("begin"));
        let first = self.hears();
        let is_starting = first == "starting";
        let ready = if is_starting { self.hears() } else { first };
        assert!(ready["ready"]["api_key"].is_string(), "{ready}");
        is_starting
    }

    fn end(&mut self) {
        self.say(&json!("end"));
    }

    fn bye(mut self) {
        self.say(&json!("bye"));
    }
}

/// A keeper of its own for this machine, with these times in milliseconds.
fn keeper(local: &Local, keep_alive: u64, patience: u64) -> Value {
    let duration = |ms: u64| json!({"secs": ms / 1000, "nanos": (ms % 1000) * 1_000_000});
    json!({
        "program": local.folder().join("bin/llama-server"),
        "library_folder": null,
        "weights": local.cache().join("models/tiny.gguf"),
        "alias": "tiny",
        "chat_template": null,
        "context": 4096,
        "threads": null,
        "log": local.home.path().join("logs/local-tiny.log"),
        "run_folder": local.cache().join("run"),
        "keep_alive": duration(keep_alive),
        "patience": duration(patience),
    })
}

/// Runs it in a thread, until it ends by itself.
fn run(local: &Local, launch: &Value) -> thread::JoinHandle<crate::support::Ran> {
    let run = local
        .hermes(["local-keeper"])
        .stdin(launch.to_string())
        .start();
    local.until("it is known", Duration::from_secs(5), |local| {
        !local.records().is_empty()
    });
    thread::spawn(move || run.wait())
}

#[test]
fn strangers_learn_nothing_and_stop_nothing() {
    let local = Local::new();
    local.ask("Hi").run().exits(0);
    for said in [
        &b"{\"hello\":{\"token\":\"wrong\"}}\n"[..],
        b"{\"hello\":{\"token\":\"\"}}\n",
        b"\"stop\"\n",
        b"\"begin\"\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"\n",
        b"\xff\xfe\0\0\n",
        b"{\"hello\":{\"x\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n",
        format!("{{\"hello\":{{\"x\":{}\n", "[".repeat(30_000)).as_bytes(),
    ] {
        let mut stream = knock(&local);
        stream.write_all(said).unwrap();
        is_closed(stream);
    }
    // A line of ten megabytes is closed long before its end.
    let mut stream = knock(&local);
    let long = vec![b'a'; 10_000_000];
    drop(stream.write_all(&long));
    is_closed(stream);
    local.ask("Hi").run().exits(0).prints(HELLO).notes("");
    local.only();
}

#[test]
fn three_hundred_silent_connections_only_delay_a_question() {
    let local = Local::new();
    local.ask("Hi").run().exits(0);
    // One of them says a letter now and then.
    let mut slow = knock(&local);
    let since = Instant::now();
    let slow = thread::spawn(move || {
        while slow.write_all(b"a").is_ok() {
            assert!(since.elapsed() < Duration::from_secs(8), "still there");
            thread::sleep(Duration::from_millis(100));
        }
    });
    let silent: Vec<_> = (0..299).map(|_| knock(&local)).collect();
    let ran = local.ask("Hi").run();
    ran.exits(0).prints(HELLO).notes("");
    assert!(ran.took < Duration::from_secs(9), "{:?}", ran.took);
    silent.into_iter().for_each(is_closed);
    slow.join().unwrap();
    local.only();
}

#[test]
fn a_look_around_neither_ends_a_keeper_nor_keeps_it() {
    let local = Local::new();
    let keeper = run(&local, &keeper(&local, 600, 5_000));
    Lease::new(&local).bye();
    local.hermes(["model", "list"]).run().exits(0);
    // The starter comes only now.
    let mut lease = Lease::new(&local);
    assert!(lease.begin());
    lease.end();
    lease.bye();
    let since = Instant::now();
    while !keeper.is_finished() {
        assert!(since.elapsed() < Duration::from_secs(3), "visits keep it");
        if let [_] = local.records().as_slice() {
            local.hermes(["model", "list"]).run().exits(0);
        }
        thread::sleep(Duration::from_millis(50));
    }
    keeper.join().unwrap().exits(0);
    local.until_gone(Duration::from_secs(1));
}

#[test]
fn a_keeper_to_which_nobody_comes_ends() {
    let local = Local::new();
    let ran = run(&local, &keeper(&local, 300_000, 5_000)).join().unwrap();
    ran.exits(0);
    assert!(ran.took < Duration::from_secs(5), "{:?}", ran.took);
    assert!(local.records().is_empty() && local.started().is_empty());
}

#[test]
fn an_engine_sleeps_while_a_process_only_holds_its_lease() {
    let local = Local::new();
    let keeper = run(&local, &keeper(&local, 200, 5_000));
    let mut lease = Lease::new(&local);
    for round in 0..3 {
        assert!(lease.begin());
        assert!(!lease.begin());
        lease.end();
        lease.end();
        let engine = local.started()[round].engine;
        assert!(engine.is_there());
        local.until("it sleeps", Duration::from_secs(2), |_| !engine.is_there());
    }
    // Its keeper does too.
    let pid = local.record()["pid"].as_u64().unwrap();
    let switches = || -> u32 {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let line = status.lines().find(|line| line.starts_with("voluntary"));
        line.unwrap()
            .split_whitespace()
            .last()
            .unwrap()
            .parse()
            .unwrap()
    };
    let before = switches();
    thread::sleep(Duration::from_secs(1));
    assert!(
        switches() - before < 5,
        "it wakes {} times",
        switches() - before
    );
    lease.bye();
    keeper.join().unwrap().exits(0);
}

#[test]
fn a_question_right_after_the_engines_death_starts_another() {
    let local = Local::new();
    let keeper = run(&local, &keeper(&local, 60_000, 5_000));
    let mut lease = Lease::new(&local);
    for round in 0..3 {
        assert!(lease.begin());
        lease.end();
        let engine = local.started()[round].engine;
        engine.kill();
        local.until("it is dead", Duration::from_secs(2), |_| !engine.is_there());
    }
    assert!(lease.begin());
    lease.say(&json!("stop"));
    keeper.join().unwrap().exits(0);
    local.until_gone(Duration::from_secs(1));
}

#[test]
fn an_engine_that_is_never_ready_is_given_up() {
    let local = Local::new();
    local.mode("never");
    let keeper = run(&local, &keeper(&local, 60_000, 700));
    let mut lease = Lease::new(&local);
    lease.say(&json!("begin"));
    assert_eq!(lease.hears(), "starting");
    let said = lease.hears()["failed"]["message"]
        .as_str()
        .unwrap()
        .to_owned();
    insta::assert_snapshot!(local.filtered(&said), @"the engine wasn't ready after 700ms; its log is `[FOLDER]/hermes/logs/local-tiny.log`");
    assert!(!local.only().engine.is_there());
    // The next question is a new try.
    local.mode("ready");
    assert!(lease.begin());
    lease.bye();
    local.started()[1].keeper.kill();
    keeper.join().unwrap();
}

#[test]
fn a_launch_that_is_none_is_refused() {
    let local = Local::new();
    for text in ["", "{}", "[1]", "\u{0}"] {
        let ran = local.hermes(["local-keeper"]).stdin(text).run();
        ran.exits(1).notes("");
        assert!(ran.json()["failed"]["message"].is_string(), "{}", ran.out);
    }
}

#[test]
fn a_program_that_was_replaced_still_wakes_its_engine() {
    let local = Local::new();
    // As an update does.
    let program = local.folder().join("hermes-old");
    fs::copy(crate::support::program(), &program).unwrap();
    let launch = keeper(&local, 60_000, 5_000);
    let run = crate::support::Hermes::of(program.to_str().unwrap(), ["local-keeper"])
        .env("PATH", local.folder().join("bin"))
        .stdin(launch.to_string())
        .start();
    local.until("it is known", Duration::from_secs(5), |local| {
        !local.records().is_empty()
    });
    fs::remove_file(&program).unwrap();
    let mut lease = Lease::new(&local);
    assert!(lease.begin());
    lease.say(&json!("stop"));
    run.wait().exits(0);
}
