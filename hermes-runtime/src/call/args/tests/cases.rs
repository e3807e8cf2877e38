//! The shared case file; cases that need a runtime belong to its tests.

use std::path::Path;

use serde_json::Value;

use super::super::{Undeclared, normalise, normalise_value};

#[test]
fn the_case_file_holds() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/tool-calls.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let (mut passed, mut elsewhere, mut failed) = (0, 0, Vec::new());
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let setup = case.get("setup").and_then(Value::as_object);
        if setup.is_some_and(|setup| setup.keys().any(|key| key != "arguments_delivered_as")) {
            elsewhere += 1;
            continue;
        }
        match run(&case, setup.is_some()) {
            Ok(()) => passed += 1,
            Err(why) => failed.push(format!("{}: {why}", case["id"])),
        }
    }
    println!(
        "tool-calls.jsonl: {passed} passed, {} failed, {elsewhere} need a runtime",
        failed.len()
    );
    assert!(failed.is_empty(), "{failed:#?}");
    assert_eq!((passed, elsewhere), (40, 10), "cases were added or lost");
}

fn run(case: &Value, as_object: bool) -> Result<(), String> {
    let raw = case["raw_arguments"].as_str().unwrap();
    let schema = &case["schema"];
    let result = if as_object {
        normalise_value(
            "tool",
            schema,
            serde_json::from_str(raw).unwrap(),
            Undeclared::Keep,
        )
    } else {
        normalise("tool", schema, raw, Undeclared::Keep)
    };
    let expected = &case["expected"];
    match (result, expected["outcome"].as_str().unwrap()) {
        (Ok(normalised), "ok") if Value::Object(normalised.args.clone()) == expected["args"] => {
            let again = normalise_value(
                "tool",
                schema,
                Value::Object(normalised.args),
                Undeclared::Keep,
            );
            let again = again.map_err(|error| format!("again: {error}"))?;
            if again.repairs.is_empty() {
                Ok(())
            } else {
                Err(format!("again: {:?}", again.repairs))
            }
        }
        (Err(error), "error") => {
            let message = error.to_string();
            println!("{}: {message}", case["id"]);
            let part = expected["error_contains"].as_str().unwrap().to_lowercase();
            if message.to_lowercase().contains(&part) {
                Ok(())
            } else {
                Err(message)
            }
        }
        (result, _) => Err(format!("{result:?}")),
    }
}
