#![cfg(unix)]

use super::{Run, find, probe};
use crate::local::test_folder::TestFolder;
use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(20);

#[test]
fn only_executable_files_in_absolute_folders_are_found() {
    let folder = TestFolder::new();
    let plain = folder.file("plain/tool", b"text");
    let script = folder.script("bin/tool", "exit 0");
    let path = std::env::join_paths([
        Path::new("bin"),
        plain.parent().unwrap(),
        script.parent().unwrap(),
    ])
    .unwrap();
    assert_eq!(find("tool", Some(&path)), Some(script));
    assert_eq!(find("tool", Some(&OsString::from("bin"))), None);
    assert_eq!(find("tool", None), None);
}

#[tokio::test]
async fn both_outputs_come_line_by_line_and_the_error_is_found() {
    let folder = TestFolder::new();
    let script = folder.script(
        "tool",
        "echo one; echo 'ERROR: no such thing' >&2; printf 'a\\rb\\nlast'; exit 3",
    );
    let mut lines = Vec::new();
    let ended = Run::new(&script)
        .complete(LIMIT, &mut |line| lines.push(line.to_owned()))
        .await
        .unwrap();
    lines.sort();
    assert_eq!(lines, ["ERROR: no such thing", "a", "b", "last", "one"]);
    assert_eq!(ended.status.code(), Some(3));
    assert_eq!(ended.complaint(), "ERROR: no such thing");
}

#[tokio::test]
async fn what_a_program_started_ends_when_nobody_waits() {
    let folder = TestFolder::new();
    let script = folder.script("tool", "sleep 60 & echo $!; wait");
    let mut id = None;
    let mut on_line = |line: &str| id = line.parse::<u32>().ok();
    let run = Run::new(&script).complete(LIMIT, &mut on_line);
    tokio::time::timeout(Duration::from_secs(2), run)
        .await
        .unwrap_err();
    let id = id.unwrap();
    let begun = Instant::now();
    let is_running = || {
        // A killed process stays as a zombie until its new parent has looked.
        std::fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
    };
    while is_running() {
        assert!(begun.elapsed() < LIMIT, "process {id} goes on");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn an_engine_that_cannot_start_says_why() {
    let folder = TestFolder::new();
    for (script, expected) in [
        ("exit 0", Ok(())),
        (
            "kill -ILL $$",
            Err("it uses instructions that this processor lacks"),
        ),
        (
            "echo \"x: /lib/libc.so.6: version 'GLIBC_2.99' not found\" >&2; exit 1",
            Err("x: /lib/libc.so.6: version 'GLIBC_2.99' not found"),
        ),
    ] {
        let program = folder.script("llama-server", script);
        let probed = probe(&program, folder.path()).await;
        assert_eq!(probed, expected.map_err(str::to_owned), "{script}");
    }
    let program = folder.file("other", b"#!/no/such/loader\n");
    folder.allow_running(&program);
    assert_eq!(
        probe(&program, folder.path()).await,
        Err("it is built for another C library than this system's".to_owned())
    );
}
