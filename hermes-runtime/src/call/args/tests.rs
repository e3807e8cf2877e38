//! The case file, the README's tables row by row, and what holds for any text.

mod cases;
mod containers;
mod keys;
mod properties;
mod scalars;
mod text_rows;

use serde_json::Value;

use super::{ArgsError, Undeclared, normalise, normalise_value};

/// Normalises as a dynamic tool would and gives the JSON text, or the message.
#[track_caller]
fn check(schema: &str, raw: &str, expected: &str) {
    let schema: Value = serde_json::from_str(schema).unwrap();
    check_as(&schema, raw, Undeclared::Keep, expected);
}

/// `expected` is JSON, or `error: ` and a part of the message.
#[track_caller]
fn check_as(schema: &Value, raw: &str, undeclared: Undeclared, expected: &str) {
    let result = normalise("the_tool", schema, raw, undeclared);
    if let Some(part) = expected.strip_prefix("error: ") {
        let message = message(result.map(|normalised| Value::Object(normalised.args)));
        assert!(
            message.contains(part),
            "{raw}\n  got    {message}\n  wanted {part}"
        );
        assert!(!message.contains('\n'), "one line: {message}");
        return;
    }
    let args = result.unwrap_or_else(|error| panic!("{raw}: {error}")).args;
    let expected: Value = serde_json::from_str(expected).unwrap();
    assert_eq!(Value::Object(args.clone()), expected, "{raw}");
    let again = normalise_value("the_tool", schema, Value::Object(args), undeclared).unwrap();
    assert_eq!(Value::Object(again.args), expected, "again: {raw}");
    assert!(
        again.repairs.is_empty(),
        "again: {raw}: {:?}",
        again.repairs
    );
}

#[track_caller]
fn message(result: Result<Value, ArgsError>) -> String {
    match result {
        Ok(args) => panic!("wanted an error, got {args}"),
        Err(error) => error.to_string(),
    }
}

/// One argument `x`, required, of the given schema.
#[track_caller]
fn x(schema: &str, value: &str, expected: &str) {
    let expected = if expected.starts_with("error: ") {
        expected.to_owned()
    } else {
        format!("{{\"x\":{expected}}}")
    };
    check(
        &format!(r#"{{"type":"object","properties":{{"x":{schema}}},"required":["x"]}}"#),
        &format!("{{\"x\":{value}}}"),
        &expected,
    );
}
