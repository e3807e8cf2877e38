//! The server's files, and a machine where not every folder is in order.
#![expect(
    clippy::disallowed_methods,
    reason = "tests write and remove their own folders only"
)]

use crate::support::Local;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::thread;
use std::time::Duration;

const HELLO: &str = "Hello from the engine.\n";

#[test]
fn files_are_for_their_user_alone() {
    let local = Local::new();
    local.ask("Hi").run().exits(0);
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let run = local.cache().join("run");
    assert_eq!(mode(&run), 0o700);
    for entry in fs::read_dir(run).unwrap() {
        assert_eq!(mode(&entry.unwrap().path()), 0o600);
    }
    let log = local.home.path().join("logs/local-tiny.log");
    assert_eq!(mode(&log), 0o600);
}

#[test]
fn a_run_folder_that_cant_be_written_costs_only_the_sharing() {
    let local = Local::new();
    fs::write(local.cache().join("run"), "a file").unwrap();
    for _ in 0..2 {
        let ran = local.ask("Hi").run();
        ran.exits(0).prints(HELLO);
        assert!(ran.took < Duration::from_secs(5), "{:?}", ran.took);
    }
}

#[test]
fn a_record_that_cant_be_written_costs_only_the_sharing() {
    let local = Local::new();
    local.ask("Hi").run().exits(0);
    let record = local.records().remove(0);
    local.hermes(["model", "list"]).run().exits(0);
    local.only().keeper.kill();
    fs::remove_file(&record).unwrap();
    fs::create_dir(&record).unwrap();
    let first = local.ask("Hi").start();
    local.until_started(2);
    let ran = local.ask("Hi").run();
    ran.exits(0).prints(HELLO);
    assert!(ran.took < Duration::from_secs(5), "{:?}", ran.took);
    first.wait().exits(0).prints(HELLO);
    fs::remove_dir(&record).unwrap();
}

#[test]
fn a_record_of_another_program_is_no_server() {
    let local = Local::new();
    local.ask("Hi").run().exits(0);
    let (path, mut record) = (local.records().remove(0), local.record());
    local.only().keeper.kill();
    // The dead keeper's port belongs to somebody else now, who closes, or who talks.
    for talks in [false, true] {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        record["port"] = listener.local_addr().unwrap().port().into();
        fs::write(&path, record.to_string()).unwrap();
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            if talks {
                drop(stream.write_all(b"220 mail.example ESMTP\r\n"));
                drop(stream.read(&mut [0; 100]));
            }
        });
        local.ask("Hi").run().exits(0).prints(HELLO);
        local.started().last().unwrap().keeper.kill();
    }
    for garbage in ["", "{", "{\"pid\": 1}", "[]"] {
        fs::write(&path, garbage).unwrap();
        local.hermes(["model", "list"]).run().exits(0);
        local.ask("Hi").run().exits(0).prints(HELLO);
        local.started().last().unwrap().keeper.kill();
    }
}

#[test]
fn a_home_that_is_a_file_stops_no_local_model() {
    let local = Local::new();
    let file = local.home.path().join("file");
    local.home.write("file", "");
    local
        .ask("Hi")
        .env("HERMES_HOME", file)
        .run()
        .exits(0)
        .prints(HELLO);
}

#[test]
fn without_any_place_for_the_log_it_is_said() {
    let local = Local::new();
    local.home.write("logs", "a file");
    fs::write(local.cache().join("run"), "a file").unwrap();
    let ran = local.ask("Hi").run();
    ran.exits(1).prints("");
    insta::assert_snapshot!(local.filtered(&ran.err), @"
    hermes: starting the local model tiny …
    hermes: the log `[FOLDER]/cache/run/local-tiny.log` can't be written: File exists (os error 17)
    ");
}

#[test]
fn weights_may_lie_anywhere_under_any_name() {
    let local = Local::new();
    let weights = local.cache().join("models/tiny.gguf");
    for (folder, name) in [
        ("with spaces", "my model"),
        ("größe", "模型 \"quoted\" 'x' $HOME `id`"),
        ("-x", "--help"),
        ("long", &"n".repeat(250)),
        ("long é", &"é".repeat(125)),
    ] {
        let path = local.folder().join(folder).join(format!("{name}.gguf"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(&weights, &path).unwrap();
        let run = local.hermes(["chat", "--provider", "local", "-q", "Hi", "--model"]);
        let ran = run.args([&path]).run();
        ran.exits(0).prints(HELLO);
        let last = local.started().pop().unwrap();
        let arguments = local.arguments(last.engine);
        assert_eq!(
            &arguments[..4],
            ["-m", path.to_str().unwrap(), "--alias", name]
        );
        last.keeper.kill();
    }
}

#[test]
fn a_path_that_is_no_text_is_named() {
    use std::os::unix::ffi::OsStrExt;
    let local = Local::new();
    let cache = local
        .folder()
        .join(std::ffi::OsStr::from_bytes(b"cache-\xff"));
    fs::rename(local.cache(), &cache).unwrap();
    let ran = local.ask("Hi").env("HERMES_CACHE", &cache).run();
    ran.prints("");
    insta::assert_snapshot!(local.filtered(&ran.err), @"hermes: `[FOLDER]/cache-�/models/tiny.gguf` can't be given to an engine, since it isn't UTF-8; rename it");
    ran.exits(2);
}
