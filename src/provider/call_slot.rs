//! One tool call under construction, as part of [`super::assemble`].

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::message::{RawArguments, ToolCall, ToolSpec};
use super::wire;

/// One call under construction.
#[derive(Default)]
pub(super) struct Slot {
    pub(super) index: Option<i64>,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
    pub(super) progress: Progress,
    /// The arguments are an empty object that came as an object: some proxies send it first and
    /// the real text afterwards.
    pub(super) placeholder: bool,
    pub(super) announced: bool,
    /// The event that touched it last.
    pub(super) event: u64,
}

impl Slot {
    pub(super) fn add_name(&mut self, name: &str, tools: &[ToolSpec]) {
        if self.name.is_empty() || name.starts_with(&self.name) {
            // First, repeated or growing.
            name.clone_into(&mut self.name);
        } else if self.arguments.is_empty() {
            let joined = format!("{}{name}", self.name);
            if is_known(tools, &joined) || !is_known(tools, &self.name) {
                self.name = joined;
            }
        }
    }

    pub(super) fn add_arguments(&mut self, arguments: &Arguments<'_>) {
        if self.placeholder {
            self.arguments.clear();
            self.progress = Progress::default();
        }
        let text = arguments.as_str();
        self.placeholder = matches!(arguments, Arguments::Object(_))
            && self.arguments.is_empty()
            && is_empty_object(text);
        self.arguments.push_str(text);
        self.progress.feed(text);
    }

    pub(super) fn into_call(self) -> ToolCall {
        let arguments = RawArguments::new(self.arguments);
        ToolCall {
            id: self.id,
            name: self.name,
            truncated: arguments.is_truncated(),
            arguments,
        }
    }
}

/// Arguments in one fragment.
pub(super) enum Arguments<'a> {
    Text(Cow<'a, str>),
    Object(&'a str),
}

impl<'a> Arguments<'a> {
    pub(super) fn read(raw: Option<&'a RawValue>) -> Option<Self> {
        let text = wire::text(raw).filter(|text| !text.is_empty())?;
        let object = raw
            .map(RawValue::get)
            .filter(|raw| raw.starts_with(['{', '[']));
        Some(object.map_or(Self::Text(text), Self::Object))
    }

    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Object(text) => text,
        }
    }
}

/// Tells in constant time per byte whether one JSON object is complete. No validator.
#[derive(Default)]
pub(super) struct Progress {
    depth: usize,
    in_string: bool,
    escaped: bool,
    closed: bool,
}

impl Progress {
    pub(super) fn is_complete(&self) -> bool {
        self.closed && self.depth == 0
    }

    fn feed(&mut self, text: &str) {
        for byte in text.bytes() {
            if self.escaped {
                self.escaped = false;
                continue;
            }
            match byte {
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                b'{' | b'[' if !self.in_string => self.depth += 1,
                b'}' | b']' if !self.in_string => {
                    self.depth = self.depth.saturating_sub(1);
                    self.closed = true;
                }
                _ => {}
            }
        }
    }
}

pub(super) fn is_known(tools: &[ToolSpec], name: &str) -> bool {
    tools.iter().any(|tool| tool.name == name)
}

fn is_empty_object(text: &str) -> bool {
    text.strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'))
        .is_some_and(|inner| inner.trim().is_empty())
}
