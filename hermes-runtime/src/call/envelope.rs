//! The envelope: the JSON text of one object that every caller gets.

use hermes_core::{Status, ToolError};
use serde_json::{Map, Value};
use std::time::Duration;

/// How a call ended, and the text of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolReply {
    status: Status,
    json: String,
    error: Option<String>,
    duration: Duration,
}

impl ToolReply {
    pub(super) const fn ok(json: String) -> Self {
        Self {
            status: Status::Ok,
            json,
            error: None,
            duration: Duration::ZERO,
        }
    }

    /// An answer of the engine itself.
    pub(super) fn refusal(status: Status, message: &str) -> Self {
        Self::failed(status, Map::new(), message)
    }

    pub(super) fn tool_error(error: &ToolError) -> Self {
        Self::failed(Status::Error, error.fields().clone(), error.message())
    }

    fn failed(status: Status, mut fields: Map<String, Value>, message: &str) -> Self {
        let message = sanitise(message);
        // Last, and not to be hidden by a field of the same name.
        fields.remove("error");
        fields.insert("error".to_owned(), Value::String(message.clone()));
        Self {
            status,
            json: Value::Object(fields).to_string(),
            error: Some(message),
            duration: Duration::ZERO,
        }
    }

    pub(super) const fn took(mut self, duration: Duration) -> Self {
        self.duration = duration;
        self
    }

    /// The same end with another text.
    pub(super) const fn again(
        status: Status,
        json: String,
        error: Option<String>,
        duration: Duration,
    ) -> Self {
        Self {
            status,
            json,
            error,
            duration,
        }
    }

    /// How it ended.
    pub const fn status(&self) -> Status {
        self.status
    }

    /// Whether the tool answered without an error.
    pub const fn is_ok(&self) -> bool {
        matches!(self.status, Status::Ok)
    }

    /// The JSON text of one object: the result, or `{…, "error": "…"}`.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// The JSON text.
    pub fn into_json(self) -> String {
        self.json
    }

    /// The text of the error, if it is one.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// How long the handler ran; zero if it didn't.
    pub const fn duration(&self) -> Duration {
        self.duration
    }
}

/// Longest error text, in characters.
const LONGEST: usize = 2000;
/// Tags that a chat template could take for its own.
const ROLE_TAGS: &[&str] = &[
    "tool_call",
    "function_call",
    "result",
    "response",
    "output",
    "input",
    "system",
    "assistant",
    "user",
];

/// An error text may quote anything, also what steers a model: tags of roles, fences and CDATA
/// marks go, and it is cut to 2,000 characters. (Hermes' rule.)
fn sanitise(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(LONGEST * 4));
    let mut rest = text
        .trim_start_matches("```json\n")
        .trim_start_matches("```\n");
    rest = rest.strip_suffix("\n```").unwrap_or(rest);
    let mut room = LONGEST + 1;
    while let Some(c) = rest.chars().next() {
        if room == 0 {
            break;
        }
        if let Some(length) = mark_length(rest) {
            rest = &rest[length..];
            continue;
        }
        out.push(c);
        room -= 1;
        rest = &rest[c.len_utf8()..];
    }
    if room == 0 {
        let kept = out
            .char_indices()
            .nth(LONGEST - 3)
            .map_or(out.len(), |(at, _)| at);
        out.truncate(kept);
        out.push_str("...");
    }
    out
}

/// The length of a role tag or CDATA mark at the start of `text`.
fn mark_length(text: &str) -> Option<usize> {
    for mark in ["<![CDATA[", "]]>"] {
        if text.starts_with(mark) {
            return Some(mark.len());
        }
    }
    let inside = text.strip_prefix('<')?;
    let name = inside.strip_prefix('/').unwrap_or(inside);
    let end = name.find('>').filter(|end| *end <= 20)?;
    ROLE_TAGS
        .iter()
        .any(|tag| name[..end].trim().eq_ignore_ascii_case(tag))
        .then(|| text.len() - name.len() + end + 1)
}

#[cfg(test)]
mod tests {
    use super::sanitise;

    #[test]
    fn role_tags_and_marks_go_and_other_text_stays() {
        assert_eq!(sanitise("bad <system>x</System>"), "bad x");
        assert_eq!(sanitise("<![CDATA[a]]> < b > <div>"), "a < b > <div>");
        assert_eq!(sanitise("```json\n{}\n```"), "{}");
        assert_eq!(sanitise("名前 <user >"), "名前 ");
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let cut = sanitise(&"é".repeat(5000));
        assert_eq!(cut.chars().count(), 2000);
        assert!(cut.ends_with("é..."));
        assert_eq!(sanitise(&"é".repeat(2000)), "é".repeat(2000));
    }
}
