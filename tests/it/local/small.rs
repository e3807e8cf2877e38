//! How a small model is asked, as the engine sees it.

use crate::support::{Answer, Local, Ran, chunk, events, says};
use serde_json::{Value, json};

const POWER: &str = "What is 2 to the power of 16?";
const CALL: &str = r#"{"tool": "calculate", "arguments": {"expression": "2**16"}}"#;

/// Asks; what came of it and the requests.
fn asked(question: &str, answers: &[Answer]) -> (Ran, Vec<Value>) {
    let local = Local::new();
    local.answers(answers.to_vec());
    let ran = local.ask(question).args(["--json"]).run();
    let bodies = local.requests().into_iter().map(|request| request.json());
    (ran, bodies.collect())
}

/// Role and text of each message.
fn messages(body: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let messages = body["messages"].as_array().unwrap();
    messages
        .iter()
        .map(|message| (text(&message["role"]), text(&message["content"])))
        .collect()
}

/// A text that ends at the output limit.
fn cut(text: &str) -> Answer {
    events(&[
        chunk(&json!({"role": "assistant", "content": text}), None),
        chunk(&json!({}), Some("length")),
    ])
}

#[test]
fn a_question_near_an_example_is_held_to_a_call_and_told_its_result() {
    let (ran, bodies) = asked(POWER, &[says(CALL), says("It is 65536.")]);
    ran.exits(0).notes("");
    let record = ran.json();
    assert_eq!(record["answer"], "It is 65536.");
    assert_eq!(
        record["calls"][0]["arguments"],
        json!({"expression": "2**16"})
    );
    assert_eq!(record["calls"][0]["status"], "ok");

    let [first, second] = bodies.as_slice() else {
        panic!("{bodies:?}")
    };
    assert_eq!(first["response_format"]["type"], "json_schema");
    assert!(first.get("tools").is_none());
    let said = messages(first);
    let roles: Vec<&str> = said.iter().map(|(role, _)| role.as_str()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "user"]);
    assert_eq!(said[1].1, "What is 3 to the power of 20?");
    assert_eq!(
        said[2].1,
        r#"{"tool": "calculate", "arguments": {"expression":"3**20"}}"#
    );
    assert_eq!(said[3].1, POWER);

    assert!(second.get("response_format").is_none() && second.get("tools").is_none());
    let said = messages(second);
    assert_eq!(said[0].1, "You are a helpful assistant.");
    assert_eq!(
        said[1].1,
        format!("{POWER}\nThe tool's result: 65536\nAnswer in one sentence with this result.")
    );
    assert_eq!(said.len(), 2);
}

#[test]
fn a_result_that_the_answer_gets_wrong_is_added() {
    let (ran, _) = asked(POWER, &[says(CALL), says("It is 65,563.")]);
    assert_eq!(
        ran.exits(0).json()["answer"],
        "It is 65,563.\nResult: 65536"
    );
}

#[test]
fn an_engine_that_makes_no_grammar_is_asked_plainly() {
    let refusal = json!({"error": {"code": 400, "type": "invalid_request_error", "message": "failed to parse grammar"}});
    let refusal = Answer::new(400, refusal.to_string());
    let (ran, bodies) = asked(POWER, &[refusal.clone(), says("65536")]);
    assert_eq!(ran.exits(0).json()["answer"], "65536");
    let [first, second] = bodies.as_slice() else {
        panic!("{bodies:?}")
    };
    assert!(first.get("response_format").is_some());
    assert!(second.get("response_format").is_none());
    assert!(second["tools"].is_array());
    assert_eq!(messages(second)[1].1, POWER);
    // Nothing helps against an engine that refuses that too.
    let (ran, bodies) = asked(POWER, std::slice::from_ref(&refusal));
    assert!(
        ran.exits(1).json()["error"]
            .as_str()
            .unwrap()
            .contains("failed to parse grammar")
    );
    assert_eq!(bodies.len(), 2);
    // What was asked plainly isn't asked again.
    let (ran, bodies) = asked("Who wrote Hamlet?", &[refusal]);
    ran.exits(1);
    assert_eq!(bodies.len(), 1);
}

#[test]
fn a_call_that_was_cut_off_isnt_run() {
    for length in [30, 45, 57] {
        let (ran, bodies) = asked(POWER, &[cut(&CALL[..length]), says(CALL), says("65536.")]);
        let record = ran.exits(0).json();
        let calls = record["calls"].as_array().unwrap();
        let statuses: Vec<_> = calls.iter().map(|call| &call["status"]).collect();
        assert_eq!(statuses, ["not_run", "ok"], "{length}: {record}");
        assert_eq!(record["answer"], "65536.", "{record}");
        // The model hears of it and may call again.
        let said = messages(&bodies[1]).pop().unwrap().1;
        assert!(
            said.contains("truncated and the tool did not run"),
            "{said}"
        );
    }
    // Here only the envelope's own end is missing.
    let (ran, _) = asked(POWER, &[cut(&CALL[..58]), says("65536.")]);
    assert_eq!(ran.exits(0).json()["calls"][0]["status"], "ok");
    let (ran, _) = asked(POWER, &[cut("{\"answer\": \"Once upon a")]);
    assert_eq!(ran.exits(0).json()["answer"], "Once upon a");
}

#[test]
fn plain_talk_is_asked_plainly() {
    let (ran, bodies) = asked("Who wrote Hamlet?", &[says("Shakespeare.")]);
    assert_eq!(ran.exits(0).json()["answer"], "Shakespeare.");
    let [body] = bodies.as_slice() else {
        panic!("{bodies:?}")
    };
    assert!(body.get("response_format").is_none());
    // The smallest repeat the schemas to the user.
    assert!(body.get("tools").is_none());
    assert_eq!(messages(body)[1].1, "Who wrote Hamlet?");
}

#[test]
fn a_large_model_and_one_without_examples_get_no_help() {
    let local = Local::new();
    local.model("large", 7_000_000_000);
    let large = [
        "chat",
        "--provider",
        "local",
        "--model",
        "large",
        "-q",
        POWER,
    ];
    local.hermes(large).run().exits(0);
    local.ask(POWER).args(["--examples", "0"]).run().exits(0);
    local
        .home
        .write("config.yaml", "local: {example_tokens: 0}\n");
    local.ask(POWER).run().exits(0);
    let requests = local.requests();
    assert_eq!(requests.len(), 3);
    for request in requests {
        assert!(request.json().get("response_format").is_none());
        assert!(!request.tools().is_empty());
    }
}
