//! One engine for all who ask, and only as long as somebody needs it.

use crate::support::{Answer, Hermes, Local, program, says};
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

const STARTING: &str = "hermes: starting the local model tiny …\n";
const HELLO: &str = "Hello from the engine.\n";

#[test]
fn the_first_question_starts_the_engine_and_the_second_finds_it() {
    let local = Local::new();
    let first = local.ask("Hi").run();
    first.exits(0).prints(HELLO).notes(STARTING);
    let second = local.ask("Hi").run();
    second.exits(0).prints(HELLO).notes("");
    let started = local.only();
    assert!(started.engine.is_there() && started.keeper.is_there());
    assert_eq!(local.requests().len(), 2);
}

#[test]
fn processes_that_start_at_the_same_time_share_one_keeper_and_one_engine() {
    let local = Local::new();
    local.mode("slow 300");
    let runs: Vec<_> = (0..4).map(|_| local.ask("Hi").start()).collect();
    for run in runs {
        // Each waits for the engine, and each says so.
        run.wait().exits(0).prints(HELLO).notes(STARTING);
    }
    local.only();
    assert_eq!(local.records().len(), 1);
}

#[test]
fn two_homes_share_one_server() {
    let local = Local::new();
    local.ask("Hi").run().exits(0);
    let other = local.ask("Hi");
    let home = other.home.path();
    let ran = other.env("HERMES_HOME", home).run();
    ran.exits(0).prints(HELLO).notes("");
    assert!(ran.home.files().is_empty());
    local.only();
}

#[test]
fn a_host_that_is_killed_leaves_no_keeper_and_no_engine() {
    let slow = says("A long answer, a few letters at a time, for a second and a half.")
        .slow(Duration::from_millis(150));
    thread::scope(|scope| {
        for lane in 0..2_u64 {
            let slow = slow.clone();
            scope.spawn(move || {
                let local = Local::new();
                local.mode("slow 60");
                local.answers([slow]);
                for round in 0..10 {
                    let run = local.ask("Hi").start();
                    // From before there is a keeper until the middle of the answer.
                    thread::sleep(Duration::from_millis((lane + 2 * round) * 22));
                    drop(run.kill());
                    local.until_gone(Duration::from_secs(5));
                }
            });
        }
    });
}

#[test]
fn a_host_that_is_killed_takes_nothing_from_another() {
    let local = Local::new();
    local.answers([says("Hello from the engine.").slow(Duration::from_millis(80))]);
    let killed = local.ask("Hi").start();
    local.until_asked(1);
    let other = local.ask("Hi").start();
    local.until_asked(2);
    drop(killed.kill());
    other.wait().exits(0).prints(HELLO);
    local.only();
}

#[test]
fn an_engine_doesnt_outlive_a_keeper_that_is_killed() {
    let local = Local::new();
    local.ask("Hi").run().exits(0);
    let started = local.only();
    started.keeper.kill();
    local.until("the engine is gone", Duration::from_secs(2), |_| {
        !started.engine.is_there()
    });
    // Its file is still there, and misleads nobody.
    assert_eq!(local.records().len(), 1);
    local.ask("Hi").run().exits(0).prints(HELLO).notes(STARTING);
    assert_eq!(local.started().len(), 2);
    assert_eq!(local.record()["pid"], local.started()[1].keeper.0);
}

#[test]
fn after_an_engine_that_is_killed_the_next_question_starts_another() {
    let local = Local::new();
    local.ask("Hi").run().exits(0);
    for round in 1..4 {
        local.started()[round - 1].engine.kill();
        let ran = local.ask("Hi").run();
        ran.exits(0).prints(HELLO).notes(STARTING);
        assert_eq!(local.started().len(), round + 1);
    }
}

#[test]
fn the_engine_ends_soon_after_the_last_question() {
    let local = Local::new();
    local
        .home
        .write("config.yaml", "local: {keep_alive_seconds: 1}\n");
    let since = Instant::now();
    local.ask("Hi").run().exits(0);
    let started = local.only();
    assert!(started.engine.is_there());
    local.until_gone(Duration::from_secs(3));
    assert!(since.elapsed() > Duration::from_secs(1));
}

#[test]
fn without_a_time_to_stay_the_engine_ends_with_the_process() {
    let local = Local::new();
    local
        .home
        .write("config.yaml", "local: {keep_alive_seconds: 0}\n");
    local.answers([says("Hello from the engine.").slow(Duration::from_millis(50))]);
    for _ in 0..2 {
        local.ask("Hi").run().exits(0).prints(HELLO).notes(STARTING);
        local.until_gone(Duration::from_secs(2));
    }
}

#[test]
fn an_answer_may_take_longer_than_the_engine_stays_without_a_question() {
    let local = Local::new();
    local
        .home
        .write("config.yaml", "local: {keep_alive_seconds: 1}\n");
    local.answers([says("Hello from the engine.").slow(Duration::from_millis(400))]);
    let ran = local.ask("Hi").run();
    ran.exits(0).prints(HELLO).notes(STARTING);
    assert!(ran.took > Duration::from_secs(2), "{:?}", ran.took);
    local.only();
}

#[test]
fn a_keeper_that_is_about_to_end_loses_no_question() {
    let local = Local::new();
    local
        .home
        .write("config.yaml", "local: {keep_alive_seconds: 1}\n");
    // Each comes when the keeper decides to go, a little sooner or later.
    for round in 0..3 {
        local.ask("Hi").run().exits(0).prints(HELLO);
        let pause = Duration::from_millis(950 + 40 * round);
        thread::sleep(pause);
        local.ask("Hi").run().exits(0).prints(HELLO);
    }
}

#[test]
fn an_engine_inside_a_script_ends_with_the_script() {
    let local = Local::new();
    local
        .home
        .write("config.yaml", "local: {keep_alive_seconds: 0}\n");
    local.mode("inside");
    local.ask("Hi").run().exits(0).prints(HELLO);
    local.until_gone(Duration::from_secs(2));
    assert_ne!(local.inside(), local.only().engine);
    local.until("the inner one is gone", Duration::from_secs(1), |local| {
        !local.inside().is_there()
    });
}

#[test]
fn an_engine_that_dies_before_an_answer_is_started_again_for_it() {
    let local = Local::new();
    local.answers([Answer::never(), says("Hello from the engine.")]);
    let run = local.ask("Hi").start();
    local.until_asked(1);
    let since = Instant::now();
    local.only().engine.kill();
    run.wait().exits(0).prints(HELLO);
    assert!(
        since.elapsed() < Duration::from_secs(10),
        "{:?}",
        since.elapsed()
    );
    assert_eq!(local.started().len(), 2);
}

#[test]
fn what_the_caller_holds_open_is_none_of_the_keepers_business() {
    let local = Local::new();
    let held = local.folder().join("held");
    let script = "exec 9>\"$HELD\"; exec \"$@\"";
    let ran = Hermes::of("/bin/sh", ["-c", script, "sh", program()])
        .args(["chat", "--provider", "local", "--model", "tiny", "-q", "Hi"])
        .env("HELD", &held)
        .env("HOME", local.folder())
        .env("HERMES_HOME", local.home.path())
        .env("HERMES_CACHE", local.cache())
        .env("PATH", local.folder().join("bin"))
        .run();
    ran.exits(0).prints(HELLO);
    let started = local.only();
    for process in [started.engine, started.keeper] {
        let open: Vec<_> = fs::read_dir(format!("/proc/{}/fd", process.0))
            .unwrap()
            .filter_map(|entry| fs::read_link(entry.unwrap().path()).ok())
            .collect();
        assert!(!open.contains(&held), "{open:?}");
    }
}

#[test]
fn ctrl_c_while_the_engine_loads_ends_both() {
    let local = Local::new();
    local.mode("never");
    let run = local.ask("Hi").start();
    local.until_started(1);
    let since = Instant::now();
    run.interrupt();
    let ran = run.wait();
    ran.exits(130).prints("").says(&["interrupted\n"]);
    assert!(since.elapsed() < Duration::from_secs(2));
    local.until_gone(Duration::from_secs(3));
}

#[test]
fn ctrl_c_in_an_answer_leaves_the_engine_for_the_next_question() {
    let local = Local::new();
    local.answers([Answer::never(), says("Hello from the engine.")]);
    let run = local.ask("Hi").start();
    local.until_asked(1);
    run.interrupt();
    run.wait().exits(130).prints("");
    local.ask("Hi").run().exits(0).prints(HELLO).notes("");
    local.only();
}

#[test]
fn no_process_that_ended_stays_in_the_table() {
    let local = Local::new();
    local
        .home
        .write("config.yaml", "local: {keep_alive_seconds: 1}\n");
    local.mode("signal KILL");
    local.ask("Hi").run().exits(1);
    local.mode("ready");
    local.answers([says("Hello from the engine.").slow(Duration::from_millis(100))]);
    let run = local.ask("Hi").start();
    local.until_asked(1);
    let second = local.started()[1];
    second.engine.kill();
    // The keeper waits for its engine, though nobody asks for another.
    local.until(
        "the engine is out of the table",
        Duration::from_secs(7),
        |_| second.engine.state().is_none(),
    );
    drop(run.kill());
}
