//! Makes a conversation acceptable for a provider, without touching what is stored.
//!
//! Providers refuse a whole request for one odd message in its history, so everything a model or
//! an interrupted run may have left behind is put right here:
//!
//! - every call has exactly one result, directly after it, in the order of the calls; missing
//!   ones are answered with an error, results without a call are dropped;
//! - call ids are unique over the conversation, later repetitions are renamed with their results;
//! - arguments are a JSON object: see [`legal_arguments`]; names are legal: see [`legal_name`];
//! - assistant messages with neither text nor calls are dropped.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::value::{RawValue, Value};

use super::message::{Message, RawArguments, ToolCall};
use super::profile::Profile;

/// Result of a call whose own result got lost.
const NO_RESULT: &str = r#"{"error":"the call was interrupted, there is no result"}"#;

/// What a provider wants beyond the common rules.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct HistoryRules {
    /// Thinking text goes back on assistant turns with calls.
    pub replay_reasoning: bool,
    /// Ids are nine letters or digits; an assistant message stands between result and user.
    pub mistral: bool,
}

impl HistoryRules {
    /// The rules of a provider.
    pub(super) fn of(profile: &Profile) -> Self {
        Self {
            replay_reasoning: profile.replay_reasoning,
            mistral: profile.mistral_rules,
        }
    }
}

/// Applies the rules. Messages that are fine are borrowed.
pub(super) fn prepare(messages: &[Message], rules: HistoryRules) -> Vec<Cow<'_, Message>> {
    let mut prepared: Vec<Cow<'_, Message>> = Vec::with_capacity(messages.len());
    let mut ids = HashSet::new();
    let mut rest = messages.iter().peekable();
    while let Some(message) = rest.next() {
        match message {
            // Results belonging to a call were taken together with it.
            Message::Tool { .. } => {}
            Message::Assistant {
                content,
                tool_calls,
                ..
            } if tool_calls.is_empty() => {
                if !content.trim().is_empty() {
                    prepared.push(Cow::Borrowed(message));
                }
            }
            Message::Assistant {
                content,
                tool_calls,
                reasoning,
            } => {
                let mut results: HashMap<&str, VecDeque<&Message>> = HashMap::new();
                while let Some(result @ Message::Tool { call_id, .. }) = rest.peek().copied() {
                    results.entry(call_id).or_default().push_back(result);
                    rest.next();
                }
                let named: Vec<String> = tool_calls
                    .iter()
                    .map(|call| unique_id(call, &mut ids, rules.mistral))
                    .collect();
                let is_same = tool_calls
                    .iter()
                    .zip(&named)
                    .all(|(call, id)| call.id == *id);
                prepared.push(if is_same {
                    Cow::Borrowed(message)
                } else {
                    let with_id = |(call, id): (&ToolCall, &String)| ToolCall {
                        id: id.clone(),
                        ..call.clone()
                    };
                    Cow::Owned(Message::Assistant {
                        content: content.clone(),
                        tool_calls: tool_calls.iter().zip(&named).map(with_id).collect(),
                        reasoning: reasoning.clone(),
                    })
                });
                for (call, id) in tool_calls.iter().zip(named) {
                    let result = results
                        .get_mut(call.id.as_str())
                        .and_then(VecDeque::pop_front);
                    prepared.push(answer(call, id, result));
                }
            }
            Message::User { .. }
                if rules.mistral
                    && matches!(
                        prepared.last().map(AsRef::as_ref),
                        Some(Message::Tool { .. })
                    ) =>
            {
                prepared.push(Cow::Owned(Message::assistant("…")));
                prepared.push(Cow::Borrowed(message));
            }
            Message::System { .. } | Message::User { .. } => prepared.push(Cow::Borrowed(message)),
        }
    }
    prepared
}

fn answer<'m>(call: &ToolCall, id: String, result: Option<&'m Message>) -> Cow<'m, Message> {
    match result {
        Some(message) if call.id == id => Cow::Borrowed(message),
        Some(Message::Tool { name, content, .. }) => Cow::Owned(Message::Tool {
            call_id: id,
            name: name.clone(),
            content: content.clone(),
        }),
        _ => Cow::Owned(Message::Tool {
            call_id: id,
            name: call.name.clone(),
            content: NO_RESULT.to_owned(),
        }),
    }
}

/// The id to send. Depends on the messages before only, so prompt caches hold.
fn unique_id(call: &ToolCall, ids: &mut HashSet<String>, mistral: bool) -> String {
    let base = if call.id.trim().is_empty() {
        "call"
    } else {
        &call.id
    };
    let mut id = base.to_owned();
    let mut number = ids.len() + 1;
    loop {
        if mistral {
            id = nine_letters(&id);
        }
        if ids.insert(id.clone()) {
            return id;
        }
        number += 1;
        id = format!("{base}_{number}");
    }
}

/// An id as Mistral wants it: exactly nine of `[a-zA-Z0-9]`. Ids that are so already stay.
fn nine_letters(id: &str) -> String {
    const LETTERS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    if id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return id.to_owned();
    }
    // `DefaultHasher::new` has fixed keys: the same id gives the same letters in every process.
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    let mut rest = hasher.finish();
    let mut letter = || {
        let letter = LETTERS[usize::try_from(rest % 62).unwrap_or(0)];
        rest /= 62;
        char::from(letter)
    };
    (0..9).map(|_| letter()).collect()
}

/// Arguments as they may stand in a history: always the text of a JSON object.
///
/// An object stays byte for byte. Blank text and `null` become `{}`. Anything else (text that
/// doesn't parse, a list, a number) becomes `{"_unparsed": "<the text>"}`: providers that turn
/// arguments into an object accept it (llama.cpp answers 500 to the raw text, others 400), and
/// unlike `{}` it shows the model what it wrote beside the error that answers the call.
pub(super) fn legal_arguments(arguments: &RawArguments) -> Cow<'_, str> {
    const KEPT: usize = 2000;
    let text = arguments.as_str();
    let trimmed = text.trim();
    if trimmed.is_empty() || trimmed == "null" {
        return Cow::Borrowed("{}");
    }
    if trimmed.starts_with('{')
        && serde_json::from_str::<&RawValue>(text).is_ok()
        && is_shallow(text)
    {
        return Cow::Borrowed(text);
    }
    let kept: String = text.chars().take(KEPT).collect();
    Cow::Owned(
        Value::Object(serde_json::Map::from_iter([(
            "_unparsed".to_owned(),
            Value::from(kept),
        )]))
        .to_string(),
    )
}

/// Servers parse arguments with recursion limits of 100 and more.
fn is_shallow(text: &str) -> bool {
    let (mut depth, mut in_string, mut escaped) = (0_u32, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                if depth > 64 {
                    return false;
                }
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    true
}

/// A tool name as it may stand in a history: `^[a-zA-Z0-9_-]{1,64}$`. Models invent names with
/// other characters, and providers refuse the whole history for it.
pub(super) fn legal_name(name: &str) -> Cow<'_, str> {
    let is_legal = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-');
    if (1..=64).contains(&name.len()) && name.chars().all(is_legal) {
        return Cow::Borrowed(name);
    }
    let legal: String = name
        .chars()
        .take(64)
        .map(|char| if is_legal(char) { char } else { '_' })
        .collect();
    if legal.is_empty() {
        Cow::Borrowed("unnamed")
    } else {
        Cow::Owned(legal)
    }
}

#[cfg(test)]
mod tests;
