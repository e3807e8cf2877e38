//! Arguments of a tool as a shell gives them.

use super::{End, Ended, FAILED};
use crate::term::{line, one_line};
use hermes_runtime::Runtime;
use hermes_runtime::args::{RepairKind, Undeclared, normalise};
use serde_json::{Map, Value, json};
use std::io::Read;

/// The arguments as one JSON text. `key=value` pairs become an object of texts, which the schema
/// then reads as numbers and so on; where it wants a list, each pair is one item of it.
pub(super) fn raw_arguments(runtime: &Runtime, name: &str, args: &[String]) -> Result<String, End> {
    match args {
        [] => return Ok(String::new()),
        [dash] if dash == "-" => {
            const MOST: u64 = 64 * 1024 * 1024;
            let mut raw = Vec::new();
            std::io::stdin()
                .take(MOST + 1)
                .read_to_end(&mut raw)
                .map_err(|error| End::usage(format!("stdin can't be read: {error}")))?;
            if raw.len() as u64 > MOST {
                return Err(End::usage(
                    "stdin has more than 64 MiB; that is no argument",
                ));
            }
            let raw = String::from_utf8(raw)
                .map_err(|_| End::usage("stdin is not UTF-8; arguments are JSON text"))?;
            // Some shells put a byte order mark in front.
            return Ok(raw
                .strip_prefix('\u{feff}')
                .map(str::to_owned)
                .unwrap_or(raw));
        }
        [one] if one.trim_start().starts_with('{') => return Ok(one.clone()),
        _ => {}
    }
    let mut object = Map::new();
    for arg in args {
        let pair = arg
            .split_once('=')
            .filter(|(key, _)| !key.trim().is_empty());
        let Some((key, value)) = pair else {
            return Err(End::usage(format!(
                "`{}` is no argument; write key=value, one JSON object, or - for stdin",
                one_line(arg, 80)
            )));
        };
        let key = key.trim();
        let value_text = Value::String(value.to_owned());
        let is_item = wants_list(runtime, name, key) && !value.trim_start().starts_with('[');
        match object.get_mut(key) {
            None if is_item => {
                object.insert(key.to_owned(), Value::Array(vec![value_text]));
            }
            None => {
                object.insert(key.to_owned(), value_text);
            }
            Some(Value::Array(items)) if is_item => items.push(value_text),
            Some(_) => return Err(End::usage(format!("`{key}` stands here twice"))),
        }
    }
    Ok(Value::Object(object).to_string())
}

/// Whether an argument is a list and nothing else.
fn wants_list(runtime: &Runtime, name: &str, key: &str) -> bool {
    let schema = runtime.tool(name).and_then(|tool| tool.schema().ok());
    let property = schema.and_then(|schema| schema.wire().get("properties")?.get(key));
    property.and_then(|property| property.get("type")?.as_str()) == Some("array")
}

/// Refuses what the tool doesn't declare. A model's undeclared keys are dropped and its call goes
/// on; at a shell it is a slip, and dropping it in silence would answer another question.
pub(super) fn check_declared(runtime: &Runtime, name: &str, raw: &str) -> Ended {
    let Some(schema) = runtime.tool(name).and_then(|tool| tool.schema().ok()) else {
        return Ok(());
    };
    // What else is wrong with the arguments is for the call to say.
    let Ok(normalised) = normalise(name, schema.input(), raw, Undeclared::Drop) else {
        return Ok(());
    };
    let undeclared: Vec<String> = normalised
        .repairs
        .iter()
        .filter(|repair| repair.kind == RepairKind::Dropped)
        .map(|repair| {
            let place = repair.pointer.trim_start_matches('/').replace('/', ".");
            format!(
                "`{}`",
                one_line(&place.replace("~1", "/").replace("~0", "~"), 80)
            )
        })
        .collect();
    if undeclared.is_empty() {
        return Ok(());
    }
    let declared: Vec<&str> = schema
        .input()
        .get("properties")
        .and_then(Value::as_object)
        .map(|properties| properties.keys().map(String::as_str).collect())
        .unwrap_or_default();
    let declared = if declared.is_empty() {
        "none".to_owned()
    } else {
        declared.join(", ")
    };
    let error = format!(
        "{name}: there is no argument {}; arguments are: {declared}",
        undeclared.join(", ")
    );
    line(&json!({"error": error}).to_string());
    Err(End::Code(FAILED))
}

#[cfg(test)]
mod tests {
    use super::raw_arguments;
    use hermes_core::prelude::*;
    use hermes_runtime::Runtime;

    /// Adds.
    #[hermes_tool(inline)]
    fn add(
        /// Numbers
        numbers: &[i64],
        /// A label
        label: Option<String>,
    ) -> String {
        format!(
            "{}{}",
            label.unwrap_or_default(),
            numbers.iter().sum::<i64>()
        )
    }

    fn raw(words: &str) -> Option<String> {
        let runtime = Runtime::builder().explicit().tool(AddTool).build();
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        raw_arguments(&runtime, "add", &words).ok()
    }

    #[test]
    fn pairs_are_texts_and_items_of_lists() {
        for (words, expected) in [
            ("numbers=1", Some(r#"{"numbers":["1"]}"#)),
            (
                "numbers=1 label=a=b numbers=2",
                Some(r#"{"numbers":["1","2"],"label":"a=b"}"#),
            ),
            ("numbers=[1,2]", Some(r#"{"numbers":"[1,2]"}"#)),
            ("label=[1", Some(r#"{"label":"[1"}"#)),
            (r#"{"numbers":[]}"#, Some(r#"{"numbers":[]}"#)),
            ("", Some("")),
            ("label=a label=b", None),
            ("numbers=[1] numbers=2", None),
            ("numbers", None),
            ("=1", None),
        ] {
            assert_eq!(raw(words).as_deref(), expected, "{words}");
        }
    }
}
