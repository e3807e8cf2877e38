//! What is sent.

use super::ask;
use crate::support::{Server, says};
use serde_json::json;

#[test]
fn a_request_is_a_chat_completion_that_streams() {
    let server = Server::start([says("65536")]);
    ask(&server).run().exits(0);
    let request = &server.requests()[0];
    assert!(
        request
            .head
            .starts_with("POST /v1/chat/completions HTTP/1.1\r\n"),
        "{}",
        request.head
    );
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.header("authorization"), None);
    let body = request.json();
    assert_eq!(body["model"], "scripted");
    assert_eq!(body["stream"], true);
    assert_eq!(body["messages"][0]["role"], "system");
    assert_eq!(
        body["messages"][1],
        json!({"role": "user", "content": "What is 2 to the power of 16?"})
    );
    assert_eq!(body["messages"].as_array().map(Vec::len), Some(2));
}

#[test]
fn ten_processes_send_the_same_bytes() {
    let server = Server::start([says("65536")]);
    for locale in ["C", "tr_TR.UTF-8"].iter().cycle().take(10) {
        ask(&server).env("LC_ALL", locale).run().exits(0);
    }
    let requests = server.requests();
    assert_eq!(requests.len(), 10);
    for request in &requests {
        assert_eq!(request.head, requests[0].head);
        assert_eq!(request.body, requests[0].body);
    }
}

#[cfg(feature = "plugin-calculator")]
#[test]
fn tools_go_out_sorted_by_name_with_the_schema_that_is_shown() {
    let server = Server::start([says("65536")]);
    ask(&server).run().exits(0);
    let request = &server.requests()[0];
    assert_eq!(request.tools(), ["calculate", "unit_convert"]);
    let schema = crate::support::hermes(["tools", "schema", "calculate"]).json();
    assert_eq!(request.json()["tools"][0]["function"]["parameters"], schema);
}

#[test]
fn only_tools_that_are_available_go_out() {
    let server = Server::start([says("65536")]);
    ask(&server)
        .config("plugins: {enabled: []}")
        .run()
        .exits(0)
        .prints("65536\n");
    let body = server.requests()[0].json();
    // An empty list is refused by some, and no tool means no word about tools.
    assert_eq!(body.get("tools"), None);
    assert_eq!(body.get("tool_choice"), None);
    assert!(
        !body["messages"][0]["content"]
            .as_str()
            .unwrap()
            .contains("tool")
    );
}
