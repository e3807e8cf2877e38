//! The shapes that come in, read with patience: every scalar may have the wrong type.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};
use serde_json::value::RawValue;

use super::message::Usage;

/// A stream event or a whole body.
#[derive(Deserialize)]
pub(super) struct Packet<'a> {
    #[serde(borrow)]
    pub(super) choices: Option<Vec<Choice<'a>>>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) object: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) model: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) usage: Option<&'a RawValue>,
}

/// One of the answers; we ask for one and read the first.
#[derive(Deserialize)]
pub(super) struct Choice<'a> {
    #[serde(borrow)]
    pub(super) delta: Option<Piece<'a>>,
    #[serde(borrow)]
    pub(super) message: Option<Piece<'a>>,
    #[serde(borrow)]
    pub(super) finish_reason: Option<&'a RawValue>,
}

/// A `delta` or a `message`: the same fields, in parts or whole.
#[derive(Deserialize)]
pub(super) struct Piece<'a> {
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) refusal: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) reasoning_content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) reasoning: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tool_calls: Option<Vec<CallPiece<'a>>>,
    #[serde(borrow)]
    pub(super) function_call: Option<FunctionPiece<'a>>,
}

/// A tool call or a fragment of one.
#[derive(Deserialize)]
pub(super) struct CallPiece<'a> {
    #[serde(borrow)]
    pub(super) index: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) id: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) function: Option<FunctionPiece<'a>>,
}

/// Name and arguments.
#[derive(Deserialize, Clone, Copy)]
pub(super) struct FunctionPiece<'a> {
    #[serde(borrow)]
    pub(super) name: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) arguments: Option<&'a RawValue>,
}

/// The text of a scalar: a string decoded, anything else as spelled, null and absent as `None`.
pub(super) fn text(raw: Option<&RawValue>) -> Option<Cow<'_, str>> {
    let raw = raw?.get();
    match raw.as_bytes().first() {
        Some(b'n') => None,
        Some(b'"') => Some(string(raw)),
        _ => Some(Cow::Borrowed(raw)),
    }
}

/// Like [`text`], but blank counts as absent.
pub(super) fn word(raw: Option<&RawValue>) -> Option<Cow<'_, str>> {
    text(raw).filter(|word| !word.trim().is_empty())
}

/// An integer, also one sent as text.
pub(super) fn integer(raw: Option<&RawValue>) -> Option<i64> {
    text(raw)?.trim().parse().ok()
}

/// Content in parts (`[{"type":"text","text":…}]`): the text and the thinking parts, each joined.
/// `None` if the value isn't a list of parts.
pub(super) fn parts(raw: &RawValue) -> Option<(String, String)> {
    #[derive(Deserialize)]
    struct Part<'a> {
        #[serde(borrow)]
        text: Option<&'a RawValue>,
        #[serde(borrow)]
        thinking: Option<&'a RawValue>,
    }
    let list: Vec<Part<'_>> = serde_json::from_str(raw.get()).ok()?;
    let (mut content, mut reasoning) = (String::new(), String::new());
    for part in list {
        content.push_str(&text(part.text).unwrap_or_default());
        match part.thinking {
            // Mistral nests a list of parts, others send text.
            Some(inner) if inner.get().starts_with('[') => {
                reasoning.push_str(&parts(inner).unwrap_or_default().0);
            }
            inner => reasoning.push_str(&text(inner).unwrap_or_default()),
        }
    }
    Some((content, reasoning))
}

/// Token counts; `None` if they aren't there.
pub(super) fn usage(raw: &RawValue) -> Option<Usage> {
    #[derive(Deserialize)]
    struct Wire<'a> {
        #[serde(borrow)]
        prompt_tokens: Option<&'a RawValue>,
        #[serde(borrow)]
        completion_tokens: Option<&'a RawValue>,
        #[serde(borrow)]
        prompt_tokens_details: Option<Details<'a>>,
    }
    #[derive(Deserialize)]
    struct Details<'a> {
        #[serde(borrow)]
        cached_tokens: Option<&'a RawValue>,
    }
    let count = |raw| {
        integer(raw)
            .and_then(|count| u64::try_from(count).ok())
            .unwrap_or(0)
    };
    let wire: Wire<'_> = serde_json::from_str(raw.get()).ok()?;
    wire.prompt_tokens.or(wire.completion_tokens)?;
    Some(Usage {
        prompt_tokens: count(wire.prompt_tokens),
        completion_tokens: count(wire.completion_tokens),
        cached_tokens: wire
            .prompt_tokens_details
            .map_or(0, |details| count(details.cached_tokens)),
    })
}

/// Decodes a JSON string. Half a surrogate pair (a server that cuts an escaped emoji in two)
/// becomes U+FFFD instead of an error.
fn string(raw: &str) -> Cow<'_, str> {
    struct Lossy;
    impl Visitor<'_> for Lossy {
        type Value = String;
        fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            formatter.write_str("a string")
        }
        fn visit_str<E: de::Error>(self, text: &str) -> Result<String, E> {
            Ok(text.to_owned())
        }
        fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<String, E> {
            Ok(String::from_utf8_lossy(bytes).into_owned())
        }
    }
    if !raw.contains('\\') {
        return Cow::Borrowed(raw.trim_matches('"'));
    }
    let decoded = serde_json::from_str::<String>(raw)
        .or_else(|_| serde_json::Deserializer::from_str(raw).deserialize_bytes(Lossy));
    decoded.map_or(Cow::Borrowed(raw), Cow::Owned)
}
