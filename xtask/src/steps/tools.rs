//! No registered tool that doesn't do its work: each is described, and some test names it.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::{Context, Outcome, test_command};
use crate::hermes::Hermes;

pub(super) fn run(context: &Context) -> Result<Outcome> {
    // The same command as the test step's, so nothing is compiled again: `cargo build` wouldn't
    // turn on what dev-dependencies do, and would make the dependencies a second time.
    test_command(context).arg("--no-run").run()?;
    let hermes = Hermes::with_empty_home(&context.workspace)?;

    let list = hermes.program().args(["tools", "list", "--json"]);
    println!("$ {list}");
    let list = list.read_json()?;
    let tools = list
        .as_array()
        .context("`hermes tools list --json` printed no list")?;
    if tools.is_empty() {
        bail!("the host built with all plugins has no tool");
    }

    let mut faults = Vec::new();
    for tool in tools {
        let name = tool["name"]
            .as_str()
            .context("a listed tool has no `name`")?;
        let schema = hermes
            .program()
            .args(["tools", "schema", name])
            .read_json()?;
        faults.extend(undescribed(name, tool, &schema));

        let plugin = tool["plugin"].as_str().unwrap_or_default();
        let folder = context.workspace.root.join("plugins").join(plugin);
        // A tool of the host itself is tested by the host's tests.
        let is_plugin = !plugin.is_empty() && folder.is_dir();
        let tests = if is_plugin {
            folder
        } else {
            context.workspace.root.clone()
        }
        .join("tests");
        if !names_it(&tests, name)? {
            faults.push(format!("{name}: no test in {} names it", tests.display()));
        }
    }
    for fault in &faults {
        println!("{fault}");
    }
    if !faults.is_empty() {
        bail!("{} faults in {} tools", faults.len(), tools.len());
    }
    println!("{} tools, all described and tested", tools.len());
    Ok(Outcome::Passed)
}

/// What a model would miss: the tool's own description, or one of a parameter at any depth.
fn undescribed(name: &str, tool: &Value, schema: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    if is_blank(&tool["description"]) {
        faults.push(format!("{name}: no description"));
    }
    // Either the parameters' schema itself or a function definition that holds it.
    let parameters = ["/parameters", "/function/parameters", "/inputSchema"]
        .iter()
        .find_map(|pointer| schema.pointer(pointer).filter(|value| value.is_object()))
        .unwrap_or(schema);
    if parameters["type"] != "object" {
        faults.push(format!("{name}: its schema isn't an object's"));
    }
    properties(name, parameters, &mut faults);
    faults
}

fn properties(path: &str, schema: &Value, faults: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            for (key, value) in fields {
                match (key.as_str(), value) {
                    ("properties", Value::Object(properties_of)) => {
                        for (property, schema) in properties_of {
                            let path = format!("{path}.{property}");
                            // The tag of an enum with data is no parameter with a choice.
                            if schema.get("const").is_none() && is_blank(&schema["description"]) {
                                faults.push(format!("{path}: no description"));
                            }
                            properties(&path, schema, faults);
                        }
                    }
                    // Data, not schemas: a word `properties` in there means nothing.
                    ("default" | "examples" | "enum" | "const", _) => {}
                    _ => properties(path, value, faults),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| properties(path, item, faults)),
        _ => {}
    }
}

fn is_blank(value: &Value) -> bool {
    value.as_str().is_none_or(|text| text.trim().is_empty())
}

/// Whether a Rust file of this folder holds the tool's name as a word.
fn names_it(folder: &Path, name: &str) -> Result<bool> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Ok(false);
    };
    for entry in entries {
        let path = entry?.path();
        let found = if path.is_dir() {
            names_it(&path, name)?
        } else {
            path.extension().is_some_and(|extension| extension == "rs")
                && is_word_in(&std::fs::read_to_string(&path)?, name)
        };
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_word_in(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part)
    })
}

#[cfg(test)]
mod tests;
