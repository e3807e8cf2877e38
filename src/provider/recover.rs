//! Tool calls that a model wrote as text.
//!
//! Small models and servers without a tool template put the call into the content. It is taken
//! for a call only if the whole text is one (a short sentence may come before a fence or tag) and
//! every name is a known tool; prose that merely contains JSON stays prose. Calls are checked
//! like any other afterwards.
//!
//! Time is linear in the text: each form consumes what it reads, or the search ends.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::assemble::name_calls;
use super::message::{RawArguments, ToolCall};
use super::wire;

/// Longest lead-in before a fence or tag, in bytes.
const LEAD_IN: usize = 300;
/// Texts above this are no tool calls.
const MAX_TEXT: usize = 1024 * 1024;

/// Finds the calls a text consists of: `(calls, text that remains)`.
///
/// Forms: a bare JSON object or list, several objects in a row, a fenced block, `<tool_call>…`
/// (Hermes, Qwen; may be unclosed at the end), `<|python_tag|>…` (Llama 3), `[TOOL_CALLS]…`
/// (Mistral), `<function=name>{…}</function>` (Llama). Keys: `name` (or `tool`, `function`) and
/// `arguments` (or `parameters`).
pub fn recover_calls(text: &str, known_tools: &[&str]) -> Option<(Vec<ToolCall>, String)> {
    if text.len() > MAX_TEXT || !text.contains('{') {
        return None;
    }
    let text = text.trim();
    let (lead_in, rest, form) = find_form(text)?;
    let mut calls = Vec::new();
    let mut found = Found {
        calls: &mut calls,
        known_tools,
    };
    match form {
        Form::Bare => found.values(rest)?,
        Form::Fence => found.fences(rest)?,
        Form::Tag => found.tags(rest, "<tool_call>", "</tool_call>")?,
        Form::Function => found.functions(rest)?,
        Form::Python => found.values(
            rest.trim_end_matches("<|eom_id|>")
                .trim_end_matches("<|eot_id|>"),
        )?,
        Form::Mistral => found.values(rest.trim_end_matches("</s>"))?,
    }
    if calls.is_empty() {
        return None;
    }
    name_calls(&mut calls);
    Some((calls, lead_in.to_owned()))
}

enum Form {
    Bare,
    Fence,
    Tag,
    Function,
    Python,
    Mistral,
}

/// Which form the text has: lead-in, the rest (with the first opening tag where forms repeat).
fn find_form(text: &str) -> Option<(&str, &str, Form)> {
    if text.starts_with('{')
        || text.starts_with("[{")
        || text.starts_with("[ {")
        || text.starts_with("[\n")
    {
        return Some(("", text, Form::Bare));
    }
    let mut end = text.len().min(LEAD_IN + 16);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let head = &text[..end];
    let (at, form) = [
        ("```", Form::Fence),
        ("<tool_call>", Form::Tag),
        ("<function=", Form::Function),
        ("<|python_tag|>", Form::Python),
        ("[TOOL_CALLS]", Form::Mistral),
    ]
    .into_iter()
    .filter_map(|(tag, form)| Some((head.find(tag)?, tag, form)))
    .min_by_key(|(at, ..)| *at)
    .map(|(at, tag, form)| {
        let skip = if matches!(form, Form::Python | Form::Mistral) {
            tag.len()
        } else {
            0
        };
        ((at, skip), form)
    })?;
    let (at, skip) = at;
    let lead_in = text[..at].trim();
    // A sentence, no essay with an example in it.
    let is_short = at <= LEAD_IN && lead_in.lines().count() <= 2 && !lead_in.contains('{');
    is_short.then(|| (lead_in, &text[at + skip..], form))
}

struct Found<'a> {
    calls: &'a mut Vec<ToolCall>,
    known_tools: &'a [&'a str],
}

/// The keys that models use for a call.
#[derive(Deserialize)]
struct Written<'a> {
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    tool: Option<&'a RawValue>,
    #[serde(borrow)]
    function: Option<&'a RawValue>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    parameters: Option<&'a RawValue>,
}

impl Found<'_> {
    /// One JSON object or list of objects, or several separated by blanks, `;` or commas.
    fn values(&mut self, text: &str) -> Option<()> {
        let mut rest = text.trim();
        while !rest.is_empty() {
            let mut values = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
            let value = values.next()?.ok()?;
            rest =
                rest[values.byte_offset()..].trim_start_matches([' ', '\n', '\r', '\t', ';', ',']);
            if value.get().starts_with('[') {
                let list: Vec<&RawValue> = serde_json::from_str(value.get()).ok()?;
                list.into_iter()
                    .try_for_each(|item| self.object(item.get()))?;
            } else {
                self.object(value.get())?;
            }
        }
        Some(())
    }

    fn object(&mut self, text: &str) -> Option<()> {
        if !text.starts_with('{') {
            return None;
        }
        let mut written: Written<'_> = serde_json::from_str(text).ok()?;
        // `{"type":"function","function":{"name":…,"arguments":…}}`
        if let Some(inner) = written
            .function
            .filter(|inner| inner.get().starts_with('{'))
        {
            written = serde_json::from_str(inner.get()).ok()?;
        }
        let name = wire::word(written.name.or(written.tool).or(written.function))?.into_owned();
        // Without arguments `{"name": "x"}` is more likely data than a call.
        let arguments = wire::text(Some(written.arguments.or(written.parameters)?))?;
        self.add(name, arguments.into_owned())
    }

    fn add(&mut self, name: String, arguments: String) -> Option<()> {
        if !self.known_tools.contains(&name.as_str()) {
            return None;
        }
        let arguments = RawArguments::new(arguments);
        let truncated = arguments.is_truncated();
        self.calls.push(ToolCall {
            id: String::new(),
            name,
            arguments,
            truncated,
        });
        Some(())
    }

    /// Blocks between fences, and nothing but blanks between them.
    fn fences(&mut self, text: &str) -> Option<()> {
        let mut rest = text;
        while !rest.is_empty() {
            let block = rest.strip_prefix("```")?;
            let body_at = block
                .find('{')
                .map(|brace| block[..brace].find('[').unwrap_or(brace))?;
            // Between fence and body: a language, at most.
            let language = block[..body_at].trim();
            if !matches!(
                language.to_ascii_lowercase().as_str(),
                "" | "json" | "tool_call" | "tool" | "tool_code"
            ) {
                return None;
            }
            let body = &block[body_at..];
            let (inside, after) = body.split_once("```").unwrap_or((body, ""));
            self.values(inside)?;
            rest = after.trim_start();
        }
        Some(())
    }

    fn tags(&mut self, text: &str, open: &str, close: &str) -> Option<()> {
        let mut rest = text;
        while !rest.is_empty() {
            let body = rest.strip_prefix(open)?;
            // The last one may be unclosed: stop words cut the closing tag off.
            let end = body.find(close).unwrap_or(body.len());
            let inside = body[..end].trim();
            let inside = inside.strip_suffix("<|im_end|>").unwrap_or(inside);
            if let Some(block) = inside.strip_prefix("```") {
                self.fences(&inside[..block.len() + 3])?;
            } else {
                self.values(inside)?;
            }
            let after = body[end..]
                .strip_prefix(close)
                .unwrap_or_default()
                .trim_start();
            rest = if matches!(after, "<|im_end|>" | "</s>") {
                ""
            } else {
                after
            };
        }
        Some(())
    }

    fn functions(&mut self, text: &str) -> Option<()> {
        let mut rest = text;
        while !rest.is_empty() {
            let (name, body) = rest.strip_prefix("<function=")?.split_once('>')?;
            let (inside, after) = body.split_once("</function>").unwrap_or((body, ""));
            let arguments = inside.trim();
            serde_json::from_str::<&RawValue>(arguments)
                .ok()
                .filter(|_| arguments.starts_with('{'))?;
            self.add(name.trim().to_owned(), arguments.to_owned())?;
            rest = after.trim_start();
        }
        Some(())
    }
}

#[cfg(test)]
mod tests;
