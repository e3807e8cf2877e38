//! Why an engine ended, as the user reads it: one line, exit 1.

use crate::support::{Hermes, Local};
use std::time::Duration;

/// What the user reads, after the line that says that the engine is started.
#[track_caller]
fn told(local: &Local) -> String {
    let ran = local.ask("Hi").run();
    ran.exits(1).prints("");
    let text = ran
        .err
        .strip_prefix("hermes: starting the local model tiny …\n")
        .unwrap_or_else(|| panic!("{}", ran.err));
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(!local.started().iter().any(|one| one.engine.is_there()));
    local.until_gone(Duration::from_secs(2));
    // Free memory is another from run to run.
    let text = local.filtered(text);
    match text.split_once(", and ") {
        Some((head, tail)) => {
            let tail = tail.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{head}, and [N]{tail}")
        }
        None => text,
    }
}

/// The same for an engine that writes this and exits.
#[track_caller]
fn said(lines: &str, code: u8) -> String {
    let local = Local::new();
    local.says(lines, code);
    told(&local)
}

#[test]
fn an_engine_for_another_processor_is_told_by_its_signal() {
    let local = Local::new();
    local.mode("signal ILL");
    insta::assert_snapshot!(told(&local), @"hermes: the engine `[FOLDER]/bin/llama-server` was built for another processor; take it off the `PATH` and get a known one with `hermes model pull --engine`");
    // A shell around it tells the signal by its code.
    assert_eq!(said("Illegal instruction", 132), told(&local));
}

#[test]
fn an_engine_that_was_killed_is_told_as_such_while_memory_is_free() {
    let local = Local::new();
    local.mode("signal KILL");
    insta::assert_snapshot!(told(&local), @"hermes: the engine `[FOLDER]/bin/llama-server` was killed, by somebody or for want of memory; its log is `[FOLDER]/hermes/logs/local-tiny.log`");
}

#[test]
fn an_engine_that_gets_no_memory_says_so() {
    insta::assert_snapshot!(said("ggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of size 4831838208\nmain: exiting", 1), @"hermes: not enough memory for `tiny`: its weights alone are 0 MB, and [N] MB are free now; close something, set a smaller `local.context`, or use a smaller model");
}

#[test]
fn a_port_that_is_taken_is_tried_thrice() {
    let local = Local::new();
    local.mode("taken 2");
    local.ask("Hi").run().exits(0);
    let ports: Vec<String> = local
        .started()
        .iter()
        .map(|one| local.arguments(one.engine)[7].clone())
        .collect();
    assert_eq!(ports.len(), 3);

    let local = Local::new();
    local.says(
        "main: couldn't bind HTTP server socket, hostname: 127.0.0.1, port: 8080",
        1,
    );
    insta::assert_snapshot!(told(&local), @"hermes: the engine found no free port in 3 tries; its log is `[FOLDER]/hermes/logs/local-tiny.log`");
    assert_eq!(local.started().len(), 3);
}

#[test]
fn weights_that_the_engine_refuses_are_named() {
    insta::assert_snapshot!(said("llama_model_load: error loading model: unknown model architecture: 'x'\nmain: error: failed to load model '/x.gguf'", 1), @"hermes: the weights `[FOLDER]/cache/models/tiny.gguf` are damaged or of a kind that this engine doesn't know; get the file again from where it came, or use another model; its log is `[FOLDER]/hermes/logs/local-tiny.log`");
}

#[test]
fn a_library_that_is_missing_is_named() {
    insta::assert_snapshot!(said("llama-server: error while loading shared libraries: libggml.so: cannot open shared object file: No such file or directory", 127), @"hermes: the engine `[FOLDER]/bin/llama-server` lacks a library: llama-server: error while loading shared libraries: libggml.so: cannot open shared object file: No such file or directory; take it off the `PATH` and get a known one with `hermes model pull --engine`");
}

#[test]
fn an_engine_that_doesnt_know_an_argument_is_of_another_time() {
    insta::assert_snapshot!(said("error: invalid argument: --jinja", 1), @"hermes: the engine `[FOLDER]/bin/llama-server` is too old or too new: error: invalid argument: --jinja; take it off the `PATH` and get a known one with `hermes model pull --engine`");
}

#[test]
fn any_other_end_is_told_with_the_last_line() {
    insta::assert_snapshot!(said("loading\nsomething \u{1b}[31modd\u{1b}[0m happened\n\n", 3), @"hermes: the engine `[FOLDER]/bin/llama-server` ended with exit status: 3; it said last: something odd happened; its log is `[FOLDER]/hermes/logs/local-tiny.log`");
    insta::assert_snapshot!(said("", 3), @"hermes: the engine `[FOLDER]/bin/llama-server` ended with exit status: 3; it said nothing; its log is `[FOLDER]/hermes/logs/local-tiny.log`");
    insta::assert_snapshot!(said("", 0), @"hermes: the engine `[FOLDER]/bin/llama-server` ended with exit status: 0; it said nothing; its log is `[FOLDER]/hermes/logs/local-tiny.log`");
}

#[test]
fn a_program_that_cant_be_run_is_named() {
    let local = Local::new();
    let program = local.folder().join("bin/llama-server");
    // By a shell: a file just written can't be run while another thread starts a process.
    let script = "rm \"$0\"; echo '#!/no/such/interpreter' > \"$0\"; chmod +x \"$0\"";
    let shell = Hermes::of("/bin/sh", ["-c", script]).args([&program]);
    shell.env("PATH", "/bin:/usr/bin").run().exits(0);
    insta::assert_snapshot!(told(&local), @"hermes: the engine `[FOLDER]/bin/llama-server` can't be run: No such file or directory (os error 2)");
}

#[test]
fn the_next_question_after_a_death_is_a_new_try() {
    let local = Local::new();
    local.says("no", 3);
    told(&local);
    local.mode("ready");
    local.ask("Hi").run().exits(0);
    // The log of an earlier death isn't taken for that of a later one.
    assert!(local.log().starts_with("no\n"), "{}", local.log());
}
