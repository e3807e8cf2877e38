//! `hermes tools …`, with the calculator.

use crate::support::{Hermes, hermes};
use serde_json::{Value, json};

const ANSWER: &str = "{\"expression\":\"2**16\",\"result\":65536}\n";

#[test]
fn a_call_prints_exactly_its_result_however_the_arguments_are_given() {
    for args in [
        r#"{"expression":"2**16"}"#,
        "expression=2**16",
        " {\"expression\" : \"2**16\"} ",
    ] {
        hermes(["tools", "call", "calculate", args])
            .exits(0)
            .prints(ANSWER)
            .notes("");
    }
    Hermes::new(["tools", "call", "calculate", "-"])
        .stdin("{\"expression\":\"2**16\"}\n")
        .run()
        .exits(0)
        .prints(ANSWER)
        .notes("");
    hermes(["tools", "call", "--json", "calculate", "expression=2**16"])
        .exits(0)
        .prints(ANSWER);
}

#[test]
fn key_and_value_reach_arguments_of_any_type() {
    hermes([
        "tools",
        "call",
        "unit_convert",
        "value=100",
        "from_unit=F",
        "to_unit=C",
    ])
    .exits(0)
    .prints("{\"input\":\"100 F\",\"result\":37.7778,\"output\":\"37.7778 C\"}\n")
    .notes("");
    // The first `=` divides, the value may hold more.
    hermes(["tools", "call", "calculate", "expression=1==1"]).exits(1);
}

#[test]
fn explain_names_each_step_on_stderr_and_leaves_stdout_alone() {
    let ran = hermes([
        "tools",
        "call",
        "calculate",
        "expression=2**16",
        "--explain",
    ]);
    ran.exits(0).prints(ANSWER);
    ran.says(&[
        "lookup",
        "calculate of plugin calculator",
        "arguments",
        "as sent",
        "handler",
        "post_tool_call",
    ]);
    hermes([
        "tools",
        "call",
        "unit_convert",
        r#"{"value":"1","from_unit":"km","to_unit":"m"}"#,
        "--explain",
    ])
    .exits(0)
    .says(&[r#"/value: "1" read as 1"#]);
}

#[test]
fn a_listing_has_a_line_for_each_tool_sorted_by_name() {
    let ran = hermes(["tools", "list"]);
    ran.exits(0).notes("");
    let names: Vec<&str> = ran
        .out
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(names, ["calculate", "unit_convert"]);
    hermes(["tools", "ls", "--toolset", "calculator"])
        .exits(0)
        .prints(&ran.out);
    hermes(["tools", "list", "--toolset", "calculater"])
        .exits(2)
        .prints("")
        .notes("hermes: no toolset `calculater`; there are: calculator\n");
}

#[test]
fn the_listing_as_json_holds_what_a_program_needs() {
    let ran = hermes(["tools", "list", "--json"]);
    let tools = ran.exits(0).notes("").json();
    assert_eq!(tools.as_array().map(Vec::len), Some(2));
    assert_eq!(tools[0]["name"], "calculate");
    assert_eq!(tools[0]["toolset"], "calculator");
    assert_eq!(tools[0]["plugin"], "calculator");
    assert_eq!(tools[0]["available"], true);
    assert_eq!(tools[0]["reason"], Value::Null);
    assert!(
        tools[0]["tokens"]
            .as_u64()
            .is_some_and(|tokens| (50..300).contains(&tokens))
    );
}

#[test]
fn show_explains_a_tool_to_a_person_and_to_a_program() {
    let ran = hermes(["tools", "show", "calculate"]);
    ran.exits(0).notes("");
    for part in [
        "(plugin calculator, toolset calculator)",
        "hints: read-only, idempotent",
        "  expression  string  Math expression",
        "examples:\n  What is 3 to the power of 20?\n    hermes tools call calculate expression='3**20'\n",
    ] {
        assert!(ran.out.contains(part), "no {part:?} in {}", ran.out);
    }
    let tool = hermes(["tools", "show", "calculate", "--json"])
        .exits(0)
        .notes("")
        .json();
    assert_eq!(tool["hints"]["read_only"], true);
    assert_eq!(tool["hints"]["destructive"], Value::Null);
    assert_eq!(
        tool["parameters"],
        hermes(["tools", "schema", "calculate"]).exits(0).json()
    );
    assert_eq!(tool["result"]["required"], json!(["expression", "result"]));
    assert_eq!(
        tool["examples"][0],
        json!({"ask": "What is 3 to the power of 20?", "args": {"expression": "3**20"}})
    );
    let ran = hermes(["tools", "show", "unit_convert"]);
    let call = "    hermes tools call unit_convert value=10 from_unit=kilometers to_unit=miles\n";
    assert!(ran.out.contains(call), "{}", ran.out);
}

#[test]
fn the_schema_is_what_a_model_gets() {
    let schema = hermes(["tools", "schema", "calculate"])
        .exits(0)
        .notes("")
        .json();
    assert_eq!(
        schema,
        json!({
            "type": "object",
            "properties": {"expression": {
                "type": "string",
                "description": "Math expression to evaluate (e.g., '2**10', 'sqrt(144)')",
            }},
            "required": ["expression"],
        })
    );
}

#[test]
fn an_unknown_tool_is_answered_with_the_nearest_names() {
    hermes(["tools", "call", "calculat", "expression=1"])
        .exits(1)
        .prints("{\"error\":\"calculat: no such tool; did you mean `calculate`?\"}\n");
    hermes(["tools", "call", "zzz"])
        .exits(1)
        .prints("{\"error\":\"zzz: no such tool; there are `calculate`, `unit_convert`\"}\n");
    for command in ["show", "schema"] {
        hermes(["tools", command, "convert"])
            .exits(1)
            .prints("")
            .notes("hermes: no tool `convert`; did you mean unit_convert?\n");
    }
}

#[test]
fn wrong_arguments_are_one_clear_line_and_exit_code_1() {
    for (tool, args, error) in [
        (
            "calculate",
            "{}",
            "calculate: `expression` is missing (text: Math expression to evaluate (e.g., '2**10', 'sqrt(144)')); arguments are: expression",
        ),
        (
            "calculate",
            r#"{"expression":"1","precision":2}"#,
            "calculate: there is no argument `precision`; arguments are: expression",
        ),
        (
            "unit_convert",
            r#"{"value":"ten","from_unit":"km","to_unit":"mi"}"#,
            "unit_convert: `value` must be a number, got \"ten\"; send for example 10",
        ),
        (
            "calculate",
            r#"{"expression":null}"#,
            "calculate: `expression` must be text, got null; send for example \"text\"",
        ),
        (
            "calculate",
            r#"{"expression":"#,
            "calculate: truncated text in the arguments: it ends inside a value after 14 characters; send the call again, complete, with less text or in several calls",
        ),
    ] {
        let ran = hermes(["tools", "call", tool, args]);
        ran.exits(1).notes("");
        assert_eq!(ran.json(), json!({"error": error}));
        assert_eq!(ran.out.lines().count(), 1);
    }
}

#[test]
fn arguments_that_are_none_are_wrong_usage() {
    for (args, note) in [
        (
            "nonsense",
            "hermes: `nonsense` is no argument; write key=value, one JSON object, or - for stdin\n",
        ),
        (
            "[1]",
            "hermes: `[1]` is no argument; write key=value, one JSON object, or - for stdin\n",
        ),
        (
            "=1",
            "hermes: `=1` is no argument; write key=value, one JSON object, or - for stdin\n",
        ),
    ] {
        hermes(["tools", "call", "calculate", args])
            .exits(2)
            .prints("")
            .notes(note);
    }
    hermes(["tools", "call", "calculate", "expression=1", "expression=2"])
        .exits(2)
        .prints("")
        .notes("hermes: `expression` stands here twice\n");
}

#[test]
fn what_a_tool_answers_with_an_error_is_data_and_exit_code_1() {
    hermes(["tools", "call", "calculate", "expression=1/0"])
        .exits(1)
        .prints("{\"expression\":\"1/0\",\"error\":\"Division by zero\"}\n")
        .notes("");
}

#[test]
fn huge_arguments_are_answered_shortly() {
    let sum = format!("{}1", "1+".repeat(50_000));
    let by_argument = Hermes::new(["tools", "call", "calculate"])
        .args([format!("expression={sum}")])
        .run();
    let long = format!("{{\"expression\":\"{}1\"}}", "1+".repeat(2_500_000));
    let by_stdin = Hermes::new(["tools", "call", "calculate", "-"])
        .stdin(long)
        .run();
    for ran in [by_argument, by_stdin] {
        // Not a word on stderr, but for a busy machine that takes this long to read 5 MB.
        let error = ran.exits(1).json()["error"].to_string();
        assert!(error.contains("the limit is 65536"), "{error}");
        assert!(ran.out.len() < 1000);
    }
}

#[test]
fn what_is_not_utf_8_is_wrong_usage() {
    Hermes::new(["tools", "call", "calculate", "-"])
        .stdin(b"{\"expression\":\"\xff\"}")
        .run()
        .exits(2)
        .prints("")
        .notes("hermes: stdin is not UTF-8; arguments are JSON text\n");
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_not_utf_8_is_wrong_usage() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    Hermes::new(["tools", "call", "calculate"])
        .args([OsStr::from_bytes(b"expression=\xff")])
        .run()
        .exits(2)
        .prints("")
        .says(&["invalid UTF-8"]);
}

#[test]
fn empty_stdin_is_a_call_without_arguments() {
    let error = hermes(["tools", "call", "calculate", "-"]).exits(1).json()["error"].to_string();
    assert!(error.contains("`expression` is missing"), "{error}");
}
