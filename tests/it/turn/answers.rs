//! Answers without a tool.

use super::ask;
use crate::support::{Answer, Server, cassette, chunk, events, message, says};
use serde_json::json;

#[test]
fn a_streamed_answer_is_all_that_goes_to_stdout() {
    let server = Server::start([says("It is 65,536 – naturally.")]);
    ask(&server)
        .run()
        .exits(0)
        .prints("It is 65,536 – naturally.\n")
        .notes("");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn an_answer_in_one_piece_is_taken_from_servers_that_do_not_stream() {
    let server = Server::start([message(
        &json!({"role": "assistant", "content": "65536"}),
        "stop",
    )]);
    ask(&server).run().exits(0).prints("65536\n").notes("");
}

#[test]
fn a_recorded_answer_is_shown() {
    for name in ["01-plain", "02-plain-stream"] {
        let server = Server::start([cassette(name)]);
        ask(&server)
            .run()
            .exits(0)
            .prints("Hello, I'm here to help with any creative writing project.\n");
    }
}

#[test]
fn logs_stay_off_stdout_however_loud_they_are() {
    let server = Server::start([says("65536")]);
    ask(&server)
        .args(["-vvv"])
        .env("RUST_LOG", "trace")
        .run()
        .exits(0)
        .prints("65536\n");
    ask(&server)
        .env("HERMES_PLUGINS_DEBUG", "1")
        .run()
        .exits(0)
        .prints("65536\n")
        .says(&["[plugins] DEBUG"]);
}

#[test]
fn what_steers_a_terminal_is_taken_out_of_an_answer() {
    // That no escape code comes out is checked on every run.
    let server = Server::start([says("\u{1b}[31mred\u{1b}[0m \u{7}bell\u{9b}2J")]);
    for (name, value) in [("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")] {
        ask(&server)
            .env(name, value)
            .run()
            .exits(0)
            .prints("red bell\n");
    }
}

#[test]
fn an_answer_at_the_output_limit_is_shown_and_marked() {
    let server = Server::start([cassette("19-finish-length")]);
    let ran = ask(&server).run();
    ran.exits(0)
        .prints("The story is about a young woman named\n")
        .says(&["cut off at the model's output limit"]);
}

#[test]
fn no_words_at_all_are_a_failure() {
    for answer in [
        message(&json!({"role": "assistant", "content": ""}), "stop"),
        message(&json!({"role": "assistant", "content": null}), "stop"),
        events(&[chunk(
            &json!({"role": "assistant", "content": " \n"}),
            Some("stop"),
        )]),
    ] {
        let server = Server::start([answer]);
        ask(&server)
            .run()
            .exits(1)
            .prints("")
            .says(&["the model answered nothing"]);
    }
}

#[test]
fn json_in_an_answer_is_an_answer() {
    let text = r#"{"name": "no_such_tool", "arguments": {"a": 1}}"#;
    let server = Server::start([says(text)]);
    ask(&server).run().exits(0).prints(&format!("{text}\n"));
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn tokens_after_the_end_of_a_stream_are_not_waited_for() {
    // The connection breaks, but the answer was whole.
    let whole = events(&[
        chunk(&json!({"role": "assistant", "content": "65536"}), None),
        chunk(&json!({}), Some("stop")),
    ]);
    let server = Server::start([whole.cut(10_000)]);
    ask(&server).run().exits(0).prints("65536\n");
}

#[test]
fn a_body_with_a_byte_order_mark_and_comments_is_a_stream() {
    let body = format!(
        "\u{feff}: hello\r\n\r\nevent: message\r\ndata: {}\r\n\r\ndata: [DONE]\r\n\r\n",
        chunk(&json!({"content": "65536"}), Some("stop"))
    );
    let server = Server::start([Answer::new(200, body)]);
    ask(&server).run().exits(0).prints("65536\n");
}
