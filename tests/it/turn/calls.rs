//! Tool calls, well and badly written.

use super::ask;
use crate::support::{Answer, Ran, Server, calls, cassette, fragments, message, says};
use serde_json::{Value, json};

const POWER: &str = r#"{"expression":"2**16"}"#;
const POWER_RESULT: &str = r#"{"expression":"2**16","result":65536}"#;
const ROOT: &str = r#"{"expression":"sqrt(2)*pi"}"#;
const ROOT_RESULT: &str = r#"{"expression":"sqrt(2)*pi","result":4.442882938158366}"#;

/// The model answers with this, then with words; returns the run and the results it was sent.
fn with(first: Answer) -> (Ran, Vec<(String, String)>, Server) {
    let server = Server::start([first, says("Done.")]);
    let ran = ask(&server).run();
    ran.exits(0).prints("Done.\n");
    let requests = server.requests();
    assert_eq!(requests.len(), 2, "{}", ran.err);
    let results = requests[1].results();
    (ran, results, server)
}

/// Results without their ids, which are made up where the model gave none.
#[track_caller]
fn assert_results(results: &[(String, String)], expected: &[&str]) {
    let texts: Vec<&str> = results.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, expected);
    for (at, (id, _)) in results.iter().enumerate() {
        assert!(!id.is_empty());
        assert!(
            results[..at].iter().all(|(other, _)| other != id),
            "two calls with id {id}"
        );
    }
}

/// The assistant's message of the second request.
fn said(server: &Server) -> Value {
    let body = server.requests()[1].json();
    let message = body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .find(|message| message["role"] == "assistant");
    message.unwrap().clone()
}

#[test]
fn a_call_is_run_and_its_result_goes_back_under_its_id() {
    let (ran, results, server) = with(calls(&[("call_7", "calculate", POWER)]));
    assert_eq!(results, [("call_7".to_owned(), POWER_RESULT.to_owned())]);
    ran.notes(&format!("→ calculate {POWER}\n  ✓ {POWER_RESULT}\n"));
    let said = said(&server);
    assert_eq!(said["tool_calls"][0]["id"], "call_7");
    assert_eq!(
        said["tool_calls"][0]["function"],
        json!({"name": "calculate", "arguments": POWER})
    );
}

#[test]
fn quiet_means_that_only_the_answer_is_shown() {
    let server = Server::start([calls(&[("a", "calculate", POWER)]), says("65536")]);
    ask(&server)
        .args(["--quiet"])
        .run()
        .exits(0)
        .prints("65536\n")
        .notes("");
}

#[test]
fn words_before_a_call_are_not_the_answer() {
    let server = Server::start([
        message(
            &json!({"role": "assistant", "content": "Let me see.", "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "calculate", "arguments": POWER}}]}),
            "tool_calls",
        ),
        says("65536"),
    ]);
    ask(&server).run().exits(0).prints("65536\n");
}

#[test]
fn the_recorded_calls_of_a_real_server_are_run() {
    let expected = r#"{"expression":"17 * 23","result":391}"#;
    for name in ["03-tool-call", "04-tool-call-stream"] {
        let (_, results, _) = with(cassette(name));
        assert_results(&results, &[expected]);
    }
    for name in ["05-two-parallel-calls", "06-two-parallel-calls-stream"] {
        let (_, results, _) = with(cassette(name));
        assert_results(
            &results,
            &[
                r#"{"expression":"6 * 7","result":42}"#,
                r#"{"expression":"30 - 9","result":21}"#,
            ],
        );
    }
}

#[test]
fn two_calls_are_answered_in_their_order() {
    let (_, results, _) = with(calls(&[
        ("b", "calculate", POWER),
        ("a", "calculate", ROOT),
    ]));
    assert_eq!(
        results,
        [
            ("b".to_owned(), POWER_RESULT.to_owned()),
            ("a".to_owned(), ROOT_RESULT.to_owned())
        ]
    );
}

#[test]
fn two_calls_without_an_index_both_run() {
    let piece = |id: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": "calculate", "arguments": arguments}});
    let rest = |arguments: &str| json!({"function": {"arguments": arguments}});
    let pieces = [
        piece("a", "{\"expression\":"),
        rest("\"2**16\"}"),
        piece("b", ""),
        rest(ROOT),
    ];
    let (_, results, _) = with(fragments(&pieces, "tool_calls"));
    assert_results(&results, &[POWER_RESULT, ROOT_RESULT]);
    // Nor with an id.
    let piece =
        |arguments: &str| json!({"function": {"name": "calculate", "arguments": arguments}});
    let (_, results, _) = with(fragments(&[piece(POWER), piece(ROOT)], "tool_calls"));
    assert_results(&results, &[POWER_RESULT, ROOT_RESULT]);
}

#[test]
fn two_calls_at_one_index_both_run() {
    let piece = |id: &str, arguments: &str| json!({"index": 0, "id": id, "function": {"name": "calculate", "arguments": arguments}});
    let (_, results, _) = with(fragments(
        &[piece("a", POWER), piece("b", ROOT)],
        "tool_calls",
    ));
    assert_results(&results, &[POWER_RESULT, ROOT_RESULT]);
}

#[test]
fn a_call_written_as_text_is_a_call() {
    let call = format!(r#"{{"name": "calculate", "arguments": {POWER}}}"#);
    for text in [
        call.clone(),
        format!("```json\n{call}\n```"),
        format!("<tool_call>\n{call}\n</tool_call>"),
        format!("I will compute that.\n<tool_call>{call}"),
        format!("[{call}]"),
    ] {
        let (ran, results, _) = with(says(&text));
        assert_results(&results, &[POWER_RESULT]);
        ran.says(&["→ calculate"]);
    }
}

#[test]
fn prose_with_json_in_it_stays_prose() {
    let text = format!("You could send\n\n{POWER}\n\nto the tool `calculate`.");
    let server = Server::start([says(&text)]);
    ask(&server).run().exits(0).prints(&format!("{text}\n"));
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn arguments_cut_off_by_the_output_limit_are_not_run_and_the_model_is_told() {
    let piece = json!({"index": 0, "id": "a", "function": {"name": "calculate", "arguments": "{\"expression\": \"2*"}});
    // Routers rewrite the finish reason.
    for finish in ["length", "tool_calls", "stop"] {
        let (ran, results, server) = with(fragments(std::slice::from_ref(&piece), finish));
        assert_eq!(results.len(), 1);
        assert!(
            results[0].1.contains("truncated and the tool did not run"),
            "{results:?}"
        );
        ran.notes("→ calculate: cut off, not run\n");
        let arguments = said(&server)["tool_calls"][0]["function"]["arguments"].clone();
        assert!(
            serde_json::from_str::<Value>(arguments.as_str().unwrap()).is_ok(),
            "{arguments}"
        );
    }
}

#[test]
fn a_trailing_comma_is_repaired_and_the_history_stays_clean() {
    let arguments = r#"{"value":100,"from_unit":"F","to_unit":"C",}"#;
    let (_, results, server) = with(calls(&[("a", "unit_convert", arguments)]));
    assert_results(
        &results,
        &[r#"{"input":"100 F","result":37.7778,"output":"37.7778 C"}"#],
    );
    assert_eq!(
        said(&server)["tool_calls"][0]["function"]["arguments"],
        r#"{"value":100,"from_unit":"F","to_unit":"C"}"#
    );
}

#[test]
fn numbers_sent_as_text_are_numbers() {
    let (_, results, _) = with(calls(&[(
        "a",
        "unit_convert",
        r#"{"value":"2","from_unit":"km","to_unit":"m"}"#,
    )]));
    assert_results(
        &results,
        &[r#"{"input":"2 km","result":2000.0,"output":"2000.0 m"}"#],
    );
}

#[test]
fn an_unknown_tool_is_answered_with_near_names_and_the_turn_goes_on() {
    let (ran, results, _) = with(calls(&[
        ("a", "calculat", POWER),
        ("b", "calculate", POWER),
    ]));
    assert_results(
        &results,
        &[
            r#"{"error":"calculat: no such tool; did you mean `calculate`?"}"#,
            POWER_RESULT,
        ],
    );
    ran.says(&["✗", "✓"]);
}

#[test]
fn wrong_arguments_are_explained_to_the_model() {
    let (_, results, _) = with(calls(&[
        (
            "a",
            "unit_convert",
            r#"{"value":"ten","from_unit":"km","to_unit":"mi"}"#,
        ),
        ("b", "calculate", "not json at all"),
        ("c", "calculate", r#"{"expression":"2**16","precision":3}"#),
    ]));
    assert_eq!(
        results[0].1,
        r#"{"error":"unit_convert: `value` must be a number, got \"ten\"; send for example 10"}"#
    );
    assert!(
        results[1].1.starts_with(r#"{"error":"calculate: "#),
        "{}",
        results[1].1
    );
    // What the tool doesn't declare is dropped: models add things.
    assert_eq!(results[2].1, POWER_RESULT);
}

#[test]
fn a_long_text_in_other_letters_is_never_cut_inside_one() {
    // 270 kB. A body that is not UTF-8 would already stop the scripted server.
    let text = "数".repeat(90_000);
    let (_, results, server) = with(calls(&[(
        "a",
        "calculate",
        &json!({"expression": text}).to_string(),
    )]));
    let result: Value = serde_json::from_str(&results[0].1).unwrap();
    assert_eq!(result["expression"], format!("{}…", "数".repeat(200)));
    assert!(
        said(&server)["tool_calls"][0]["function"]["arguments"]
            .as_str()
            .unwrap()
            .contains(&text)
    );
}

#[test]
fn the_step_limit_ends_a_model_that_only_calls() {
    let server = Server::start([calls(&[("a", "calculate", POWER)])]);
    ask(&server)
        .args(["--max-turns", "2"])
        .run()
        .exits(1)
        .prints("")
        .says(&["no answer after 2 requests", "--max-turns"]);
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_stream_that_breaks_in_a_call_runs_nothing() {
    let whole = calls(&[("a", "calculate", POWER)]);
    let server = Server::start([whole.cut(420)]);
    let ran = ask(&server).run();
    ran.exits(1).prints("").says(&["broke off"]);
    assert!(!ran.err.contains("→ calculate"), "{}", ran.err);
}
