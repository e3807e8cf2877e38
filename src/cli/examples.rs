//! A tool's examples, as a shell would make the calls.

use super::arguments::raw_arguments;
use crate::term::{line, one_line};
use hermes_core::{ToolDef, ToolExample};
use hermes_runtime::args::{Undeclared, normalise};
use hermes_runtime::{Runtime, ToolView};
use serde_json::{Map, Value, json};

/// What a user says, and under it the call.
pub(super) fn print_examples(runtime: &Runtime, tool: &ToolView<'_>) {
    let examples = tool.def().examples();
    if examples.is_empty() {
        return;
    }
    line("");
    line("examples:");
    for example in examples {
        line(&format!("  {}", one_line(example.ask(), 200)));
        line(&format!("    {}", shell_call(runtime, tool, example)));
    }
}

pub(super) fn examples_json(def: &ToolDef) -> Value {
    let examples = def.examples().iter().map(|example| {
        let args: Value =
            serde_json::from_str(example.args()).unwrap_or_else(|_| example.args().into());
        json!({"ask": example.ask(), "args": args})
    });
    examples.collect()
}

/// `hermes tools call …` with `key=value` pairs, if they are read as the same arguments; else with
/// JSON.
fn shell_call(runtime: &Runtime, tool: &ToolView<'_>, example: &ToolExample) -> String {
    let name = tool.def().name();
    let mut call = format!("hermes tools call {name}");
    let words = pairs(example)
        .filter(|pairs| reads_the_same(runtime, tool, pairs, example))
        .unwrap_or_else(|| vec![example.args().to_owned()]);
    for word in words {
        call.push(' ');
        call.push_str(&quoted(&word));
    }
    call
}

/// `key=value` for each argument; `None` if one is no scalar, or has a key that needs quotes.
fn pairs(example: &ToolExample) -> Option<Vec<String>> {
    let args: Map<String, Value> = serde_json::from_str(example.args()).ok()?;
    let pair = |(key, value): (&String, &Value)| {
        let plain = key
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
        let value = match value {
            Value::String(text) if !text.contains(char::is_control) => text.clone(),
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            _ => return None,
        };
        (plain && !key.starts_with('-')).then(|| format!("{key}={value}"))
    };
    args.iter().map(pair).collect()
}

/// Pairs are texts, which the schema may read in another way than the author meant them.
fn reads_the_same(
    runtime: &Runtime,
    tool: &ToolView<'_>,
    pairs: &[String],
    example: &ToolExample,
) -> bool {
    let name = tool.def().name();
    let read = |raw: &str| {
        let schema = tool.schema().ok()?;
        let normalised = normalise(name, schema.input(), raw, Undeclared::Drop).ok()?;
        Some(normalised.args)
    };
    let Ok(raw) = raw_arguments(runtime, name, pairs) else {
        return false;
    };
    read(&raw).is_some_and(|args| Some(args) == read(example.args()))
}

/// A word as a shell takes it: the value alone in quotes, if it needs any.
fn quoted(word: &str) -> String {
    let (key, value) = match word.split_once('=') {
        Some((key, value)) if !word.starts_with('{') => (format!("{key}="), value),
        _ => (String::new(), word),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:,%+@".contains(c);
    if !value.is_empty() && value.chars().all(plain) {
        return word.to_owned();
    }
    format!("{key}'{}'", value.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::{examples_json, shell_call};
    use hermes_core::ToolItem;
    use hermes_core::prelude::*;
    use hermes_runtime::Runtime;
    use hermes_runtime::testing::TestHost;

    /// Takes much.
    #[hermes_tool(
        inline,
        example(ask = "plain", args = { "text": "a", "number": -1.5 }),
        example(ask = "quotes", args = { "text": "it's 2**3" }),
        example(ask = "empty", args = { "text": "" }),
        example(ask = "yes", args = { "text": "true", "flag": true }),
        example(ask = "equals", args = { "text": "a=b c" }),
        example(ask = "lists", args = { "text": "it's", "list": [1, 2] }),
        example(ask = "null", args = { "text": "a", "flag": null }),
        example(ask = "lines", args = { "text": "a\nb" }),
        example(ask = "digits", args = { "text": "a", "any": "5" }),
        example(ask = "spelling", args = { "text": "a", "list": [], "number": 1e3 }),
    )]
    fn take(
        /// A text
        text: &str,
        /// A number
        number: Option<f64>,
        /// A flag
        flag: Option<bool>,
        /// Numbers
        #[arg(default)]
        list: &[i64],
        /// Anything
        any: Option<Value>,
    ) -> String {
        format!("{text}{number:?}{flag:?}{list:?}{any:?}")
    }

    /// Takes nothing.
    #[hermes_tool(inline, example(ask = "Go!", args = {}))]
    fn nothing() {}

    #[test]
    fn calls_are_pairs_where_pairs_say_the_same() {
        let builder = Runtime::builder()
            .explicit()
            .tool(TakeTool)
            .tool(NothingTool);
        let host = TestHost::of(builder);
        let calls = |name| {
            let tool = host.runtime().tool(name).expect("it is registered");
            let examples = tool.def().examples().iter();
            examples
                .map(|example| shell_call(host.runtime(), &tool, example))
                .collect::<Vec<_>>()
        };
        assert_eq!(calls("nothing"), ["hermes tools call nothing"]);
        assert_eq!(
            calls("take"),
            [
                "hermes tools call take text=a number=-1.5",
                r"hermes tools call take text='it'\''s 2**3'",
                "hermes tools call take text=''",
                "hermes tools call take text=true flag=true",
                "hermes tools call take text='a=b c'",
                r#"hermes tools call take '{"text":"it'\''s","list":[1,2]}'"#,
                r#"hermes tools call take '{"text":"a","flag":null}'"#,
                r#"hermes tools call take '{"text":"a\nb"}'"#,
                "hermes tools call take text=a any=5",
                r#"hermes tools call take '{"text":"a","list":[],"number":1e3}'"#,
            ]
        );
        assert_eq!(
            examples_json(TakeTool::def())[0],
            json!({"ask": "plain", "args": {"text": "a", "number": -1.5}})
        );
    }
}
