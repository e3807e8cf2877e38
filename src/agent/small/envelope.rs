//! One reply as one JSON object: a call of one tool, or an answer.
//!
//! A grammar made from this schema leaves a model no other way to write: every call names a tool that
//! is there and has arguments of its schema's shape. (`tool_choice: required` doesn't do that: the
//! grammar behind it lets any text come first.)

use crate::provider::ToolSpec;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// What the model said, once the envelope is opened.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// A call; the arguments are JSON text, maybe cut off.
    Call { tool: String, arguments: String },
    /// Text for the user.
    Answer(String),
}

/// `response_format` for a call of one of these tools or an answer.
pub(super) fn format(tools: &[ToolSpec]) -> Value {
    let mut definitions = Map::new();
    let mut ways: Vec<Value> = tools
        .iter()
        .map(|tool| {
            object(&[
                ("tool", json!({"const": tool.name})),
                ("arguments", arguments(tool, &mut definitions)),
            ])
        })
        .collect();
    ways.push(object(&[("answer", json!({"type": "string"}))]));
    let mut schema = if ways.len() == 1 {
        ways.remove(0)
    } else {
        json!({"oneOf": ways})
    };
    if !definitions.is_empty() {
        schema["$defs"] = Value::Object(definitions);
    }
    json!({"type": "json_schema", "json_schema": {"name": "reply", "strict": true, "schema": schema}})
}

fn object(properties: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let properties: Map<String, Value> = properties
        .iter()
        .map(|(name, schema)| ((*name).to_owned(), schema.clone()))
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": false,
    })
}

/// A tool's schema as a part of another: its definitions move to the root, under the tool's name.
fn arguments(tool: &ToolSpec, definitions: &mut Map<String, Value>) -> Value {
    let mut schema: Value =
        serde_json::from_str(tool.parameters.get()).unwrap_or_else(|_| json!({}));
    let prefix = format!("{}.", tool.name);
    let is_recursive = has_root_reference(&schema);
    clean(&mut schema, &prefix);
    let own = schema
        .as_object_mut()
        .and_then(|schema| schema.remove("$defs"));
    if let Some(Value::Object(own)) = own {
        for (name, definition) in own {
            definitions.insert(format!("{prefix}{name}"), definition);
        }
    }
    if is_recursive {
        definitions.insert(prefix.clone(), schema);
        return json!({"$ref": format!("#/$defs/{prefix}")});
    }
    schema
}

fn has_root_reference(schema: &Value) -> bool {
    match schema {
        Value::Object(object) => {
            object.get("$ref") == Some(&json!("#")) || object.values().any(has_root_reference)
        }
        Value::Array(items) => items.iter().any(has_root_reference),
        _ => false,
    }
}

/// Points references at their new place and drops what makes the server refuse the whole request:
/// patterns that aren't anchored or use classes it doesn't know. The engine judges the arguments again
/// anyway. Prose goes too: the grammar has no use for it.
fn clean(schema: &mut Value, prefix: &str) {
    match schema {
        Value::Object(object) => {
            for word in ["pattern", "format", "description", "default", "examples"] {
                // A property may have any of these names; a keyword is no schema.
                if object.get(word).is_some_and(|value| !value.is_object()) {
                    object.remove(word);
                }
            }
            if let Some(Value::String(reference)) = object.get_mut("$ref") {
                if reference == "#" {
                    *reference = format!("#/$defs/{prefix}");
                } else if let Some(name) = reference.strip_prefix("#/$defs/") {
                    *reference = format!("#/$defs/{prefix}{name}");
                }
            }
            object.values_mut().for_each(|value| clean(value, prefix));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| clean(item, prefix)),
        _ => {}
    }
}

/// The tools as a small model reads them best: a signature and a sentence each.
pub(super) fn listing(tools: &[ToolSpec]) -> String {
    let mut listing = String::new();
    for tool in tools {
        listing.extend(["\n", &signature(tool), " - ", &sentence(&tool.description)]);
    }
    listing
}

fn signature(tool: &ToolSpec) -> String {
    let schema: Value = serde_json::from_str(tool.parameters.get()).unwrap_or_else(|_| json!({}));
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let parameters: Vec<String> = schema["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, schema)| {
            let optional = if required.contains(&name.as_str()) {
                ""
            } else {
                "?"
            };
            format!("{name}{optional}: {}", type_name(schema))
        })
        .collect();
    format!("{}({})", tool.name, parameters.join(", "))
}

fn type_name(schema: &Value) -> String {
    if let Some(choices) = schema["enum"].as_array() {
        let choices: Vec<String> = choices.iter().map(Value::to_string).collect();
        return choices.join("|");
    }
    match &schema["type"] {
        Value::String(name) if name == "array" => format!("{}[]", type_name(&schema["items"])),
        Value::String(name) => name.clone(),
        Value::Array(names) => {
            let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
            names.join("|")
        }
        _ if schema.get("$ref").is_some() => "object".to_owned(),
        _ => "any".to_owned(),
    }
}

/// The first sentence, which says what the tool is for.
fn sentence(description: &str) -> String {
    const MOST: usize = 160;
    let text: String = description.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = text.find(". ").map_or(text.len(), |at| at + 1);
    let first = &text[..end];
    match first.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &first[..at]),
        None => first.to_owned(),
    }
}

/// A call as the model would have written it.
pub(super) fn call(tool: &str, arguments: &str) -> String {
    let tool = Value::from(tool);
    format!("{{\"tool\": {tool}, \"arguments\": {arguments}}}")
}

/// An answer as the model would have written it.
pub(super) fn answer(text: &str) -> String {
    format!("{{\"answer\": {}}}", Value::from(text))
}

/// Opens a reply; `None` if it is no envelope. One that was cut off gives what there is.
pub(super) fn open(text: &str) -> Option<Said> {
    #[derive(Deserialize)]
    struct Wire<'a> {
        answer: Option<String>,
        tool: Option<String>,
        #[serde(borrow)]
        arguments: Option<&'a RawValue>,
    }
    let text = text.trim();
    if let Ok(wire) = serde_json::from_str::<Wire<'_>>(text) {
        return match (wire.answer, wire.tool) {
            (Some(answer), None) => Some(Said::Answer(answer)),
            (None, Some(tool)) => Some(Said::Call {
                tool,
                arguments: wire.arguments.map_or("{}", RawValue::get).to_owned(),
            }),
            _ => None,
        };
    }
    cut(text)
}

/// The beginning of an envelope, as the output limit leaves it.
fn cut(text: &str) -> Option<Said> {
    let rest = text.strip_prefix('{')?.trim_start();
    if let Some(rest) = after_key(rest, "answer") {
        let body = rest.strip_prefix('"')?;
        // Half an escape at the end is left out.
        let whole = (0..=body.len().min(6)).find_map(|less| {
            let end = body.len() - less;
            let head = body.get(..end)?;
            serde_json::from_str::<String>(&format!("\"{head}\"")).ok()
        });
        return whole.map(Said::Answer);
    }
    let rest = after_key(rest, "tool")?;
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<String>();
    let tool = values.next()?.ok()?;
    let rest = rest[values.byte_offset()..]
        .trim_start()
        .strip_prefix(',')?;
    let arguments = after_key(rest.trim_start(), "arguments").unwrap_or("{");
    Some(Said::Call {
        tool,
        arguments: arguments.to_owned(),
    })
}

fn after_key<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let rest = text
        .strip_prefix('"')?
        .strip_prefix(key)?
        .strip_prefix('"')?;
    Some(rest.trim_start().strip_prefix(':')?.trim_start())
}

#[cfg(test)]
mod tests;
