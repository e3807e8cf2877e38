//! What a provider does wrong, or refuses.

use super::ask;
use crate::support::{Answer, Hermes, Server, cassette, chunk, events, says};
use serde_json::json;
use std::time::Duration;

/// Asks once; the run fails with nothing on stdout, after this many requests.
#[track_caller]
fn fails(answer: Answer, requests: usize, parts: &[&str]) {
    let server = Server::start([answer]);
    let ran = ask(&server).run();
    ran.exits(1).prints("").says(parts);
    assert_eq!(server.requests().len(), requests, "{}", ran.err);
}

fn refusal(status: u16, message: &str, code: &str) -> Answer {
    let error = json!({"error": {"message": message, "type": "invalid_request_error", "code": code, "param": null}});
    Answer::new(status, error.to_string()).header("content-type", "application/json")
}

#[test]
fn a_stream_cut_midway_is_no_answer() {
    let whole = events(&[
        chunk(
            &json!({"role": "assistant", "content": "The answer is "}),
            None,
        ),
        chunk(&json!({"content": "65536, and here"}), None),
        chunk(&json!({"content": " is more."}), None),
        chunk(&json!({}), Some("stop")),
    ]);
    let cut = whole.clone().cut(330);
    fails(cut.clone(), 3, &["the answer broke off after"]);
    // Stdout is no terminal, so nobody has seen the half, and it is asked for again.
    let server = Server::start([cut, whole]);
    let ran = ask(&server).run();
    ran.exits(0)
        .prints("The answer is 65536, and here is more.\n");
    // A body that is whole, of an answer that isn't.
    let half = format!(
        "data: {}\n\n",
        chunk(&json!({"content": "The answer is "}), None)
    );
    fails(
        Answer::new(200, half),
        3,
        &["the answer broke off after 14 characters"],
    );
}

#[test]
fn html_with_status_200_is_no_answer() {
    let page = "<!DOCTYPE html><html><body>Welcome to the portal</body></html>";
    let answer = Answer::new(200, page).header("content-type", "text/html");
    fails(
        answer,
        1,
        &[
            "answered with HTML, not a chat completion",
            "is `base_url` right?",
        ],
    );
    fails(Answer::new(200, ""), 1, &["answered with nothing"]);
    fails(
        Answer::new(200, "{\"status\":\"ok\"}"),
        1,
        &["answered with other JSON"],
    );
}

#[test]
fn a_wrong_key_is_told_after_one_request_and_not_shown() {
    let key = "sk-wrong-key-that-must-not-be-shown";
    // OpenAI repeats a part of the key, others the whole.
    let server = Server::start([refusal(
        401,
        &format!("Incorrect API key provided: {key}."),
        "invalid_api_key",
    )]);
    let ran = ask(&server).secret("HERMES_API_KEY", key).run();
    ran.exits(1)
        .prints("")
        .says(&["refused the key (401)", "check `HERMES_API_KEY`", "***"]);
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    assert_eq!(
        requests[0].header("authorization"),
        Some(format!("Bearer {key}").as_str())
    );
}

#[test]
fn a_missing_key_is_told_with_where_to_put_it() {
    fails(
        cassette("23-error-401-no-key"),
        1,
        &["refused the key (401): Invalid API Key", "`HERMES_API_KEY`"],
    );
}

#[test]
fn an_unknown_model_is_told_as_such() {
    let answer = refusal(
        404,
        "The model `scripted` does not exist or you do not have access to it.",
        "model_not_found",
    );
    fails(answer, 1, &["has no model `scripted`", "--model"]);
}

#[test]
fn a_wrong_address_is_told_as_such() {
    fails(
        cassette("16-error-404"),
        1,
        &["doesn't exist there", "`base_url`"],
    );
}

#[test]
fn retry_after_is_honoured() {
    let server = Server::start([
        refusal(429, "Rate limit reached", "rate_limit_exceeded").header("retry-after", "1"),
        says("65536"),
    ]);
    ask(&server)
        .run()
        .exits(0)
        .prints("65536\n")
        .says(&["limits the rate", "trying again in 1.0s"]);
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    let waited = requests[1].at - requests[0].at;
    assert!(waited >= Duration::from_secs(1), "{waited:?}");
    assert!(waited < Duration::from_secs(10), "{waited:?}");
}

#[test]
fn a_wait_of_hours_is_not_waited_for() {
    let answer =
        refusal(429, "Rate limit reached", "rate_limit_exceeded").header("retry-after", "7200");
    fails(answer, 1, &["limits the rate", "try again in 7200s"]);
}

#[test]
fn an_empty_account_is_not_asked_again() {
    fails(
        refusal(429, "You exceeded your current quota", "insufficient_quota"),
        1,
        &["wants payment", "credit"],
    );
}

#[test]
fn a_model_that_is_still_loading_is_waited_for() {
    let server = Server::start([cassette("20-error-503-loading"), says("65536")]);
    ask(&server)
        .run()
        .exits(0)
        .prints("65536\n")
        .says(&["still loading", "trying again"]);
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_server_that_stays_down_is_given_up() {
    let answer = refusal(503, "overloaded", "overloaded").header("retry-after", "0");
    fails(answer, 3, &["is unavailable (503): overloaded"]);
}

#[test]
fn a_context_overflow_is_told_with_its_numbers() {
    for name in [
        "12-error-context-overflow",
        "13-error-context-overflow-stream",
    ] {
        fails(
            cassette(name),
            1,
            &["too long for the model (6021 tokens of 4096)"],
        );
    }
}

#[cfg(feature = "plugin-calculator")]
#[test]
fn a_refused_schema_is_told_with_its_tool() {
    // OpenAI's words, and the place alone.
    let words =
        "Invalid schema for function 'unit_convert': schema must be a JSON Schema of type object.";
    fails(
        refusal(400, words, "invalid_function_parameters"),
        1,
        &["refused the schema of tool `unit_convert`"],
    );
    fails(
        refusal(
            400,
            "Invalid type for tools[0].function.parameters",
            "invalid_type",
        ),
        1,
        &["refused the schema of tool `calculate`"],
    );
    // llama.cpp prints the schema in place of the name, as in exchange 10.
    let schema = crate::support::hermes(["tools", "schema", "unit_convert"]).json();
    let words = format!(
        "Unable to generate parser for this template. JSON schema conversion failed:\nbad {schema}"
    );
    fails(
        refusal(400, &words, "400"),
        1,
        &["refused the schema of tool `unit_convert`"],
    );
    fails(
        cassette("10-error-400-bad-tool-schema"),
        1,
        &["refused the schema of one of the tools"],
    );
}

#[test]
fn a_request_that_is_refused_is_not_sent_again() {
    fails(
        cassette("14-error-400-missing-messages"),
        1,
        &["refused the request (400): 'messages' is required"],
    );
    fails(
        cassette("15-error-500-invalid-json"),
        1,
        &["refused the request (500)"],
    );
}

#[test]
fn an_error_inside_a_stream_is_an_error() {
    let body = "data: {\"error\":{\"message\":\"boom\",\"type\":\"invalid_request_error\",\"code\":400}}\n\ndata: [DONE]\n\n";
    fails(Answer::new(200, body), 1, &["boom"]);
}

#[test]
fn a_redirect_is_not_followed() {
    let answer = Answer::new(302, "").header(
        "location",
        "http://other.example/v1/chat/completions?key=secret",
    );
    fails(
        answer,
        1,
        &["redirects to `http://other.example/v1/chat/completions`"],
    );
}

#[test]
fn nobody_at_the_address_is_told_at_once() {
    // A port that was free a moment ago may be another test's by now; this one is nobody's.
    let ran = Hermes::new(["chat", "-q", "hi", "--model", "m"])
        .args(["--base-url", "http://127.0.0.1:1/v1"])
        .run();
    ran.exits(1).prints("").says(&[
        "no connection to",
        "nobody listens there",
        "is the server running",
    ]);
    assert!(ran.took < Duration::from_secs(5), "{:?}", ran.took);
}

#[test]
fn a_failure_leaves_nothing_in_the_home() {
    let server = Server::start([Answer::new(200, "<html>")]);
    assert!(ask(&server).run().home.files().is_empty());
}
