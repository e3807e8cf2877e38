//! The conversation as plain data, independent of any wire format.

use std::time::Duration;

use serde_json::value::{RawValue, Value};

/// One entry of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// Instructions; stable over a session so that prompt caches hold.
    System {
        /// The text.
        content: String,
    },
    /// What the user said.
    User {
        /// The text.
        content: String,
    },
    /// What the model answered.
    Assistant {
        /// The text; empty when the model only called tools.
        content: String,
        /// The calls, in the order in which the model made them.
        tool_calls: Vec<ToolCall>,
        /// Thinking text, sent back only to providers that ask for it.
        reasoning: Option<String>,
    },
    /// What one tool call returned.
    Tool {
        /// [`ToolCall::id`] of the call this answers.
        call_id: String,
        /// Name of the tool.
        name: String,
        /// The result; always text on this API, JSON is sent as its text.
        content: String,
    },
}

impl Message {
    /// A system message.
    pub fn system(content: impl Into<String>) -> Self {
        Self::System {
            content: content.into(),
        }
    }

    /// A user message.
    pub fn user(content: impl Into<String>) -> Self {
        Self::User {
            content: content.into(),
        }
    }

    /// An assistant message without tool calls.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self::Assistant {
            content: content.into(),
            tool_calls: Vec::new(),
            reasoning: None,
        }
    }

    /// The result of `call`.
    pub fn tool_result(call: &ToolCall, content: impl Into<String>) -> Self {
        Self::Tool {
            call_id: call.id.clone(),
            name: call.name.clone(),
            content: content.into(),
        }
    }
}

/// A tool call as the model made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// Pairs the call with its result. Never empty; unique within a [`Reply`].
    pub id: String,
    /// The tool's name as the model spelled it, known or not.
    pub name: String,
    /// The arguments, untouched.
    pub arguments: RawArguments,
    /// The arguments end in the middle: the call **must not be run**. True for text that stops
    /// inside a JSON value, whatever the finish reason says, since routers rewrite that.
    pub truncated: bool,
}

/// Arguments exactly as the model sent them: the decoded text of the `arguments` string, or the
/// JSON text of an object where a server sends an object. May be no JSON at all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawArguments(String);

impl RawArguments {
    /// Wraps text without looking at it.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True if the text stops inside a JSON value: an open string, bracket or word.
    /// Blank text isn't truncated, it stands for `{}`.
    pub fn is_truncated(&self) -> bool {
        // `RawValue` skips values without recursion, so depth needs no limit here.
        !self.0.trim().is_empty()
            && serde_json::from_str::<&RawValue>(&self.0).is_err_and(|error| error.is_eof())
    }
}

impl From<&str> for RawArguments {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

/// A tool as offered to the model. The schema must already be in the provider's dialect.
#[derive(Debug, Clone)]
pub struct ToolSpec {
    /// Name, `^[a-zA-Z0-9_-]{1,64}$`.
    pub name: String,
    /// What it is for, read by the model.
    pub description: String,
    /// JSON Schema of the arguments as text, sent byte for byte.
    pub parameters: Box<RawValue>,
}

impl ToolSpec {
    /// Describes a tool by a schema value.
    ///
    /// # Errors
    /// Never for a `Value` without exotic map keys; the error is `serde_json`'s.
    pub fn new(
        name: &str,
        description: &str,
        parameters: &Value,
    ) -> Result<Self, serde_json::Error> {
        let parameters = serde_json::value::to_raw_value(parameters)?;
        Ok(Self {
            name: name.to_owned(),
            description: description.to_owned(),
            parameters,
        })
    }

    /// Describes a tool by schema text, for example cached bytes of a lowered schema.
    ///
    /// # Errors
    /// The text isn't JSON.
    pub fn from_text(
        name: &str,
        description: &str,
        parameters: String,
    ) -> Result<Self, serde_json::Error> {
        let parameters = RawValue::from_string(parameters)?;
        Ok(Self {
            name: name.to_owned(),
            description: description.to_owned(),
            parameters,
        })
    }
}

/// Whether the model may, must or must not call tools. Only a wish: servers ignore it or honour
/// it loosely, so check the reply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ToolChoice {
    /// The model decides; the field isn't sent.
    #[default]
    Auto,
    /// No calls.
    None,
    /// At least one call.
    Required,
    /// A call of this tool.
    Tool(String),
}

/// Why the model stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FinishReason {
    /// It had said what it wanted.
    Stop,
    /// It waits for tool results. Also set when calls came with `stop` or without a reason.
    ToolCalls,
    /// The output limit was reached; text and the last call may be cut off.
    Length,
    /// The provider withheld the rest.
    ContentFilter,
    /// Any other word.
    Other(String),
}

/// Tokens counted by the provider.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens read.
    pub prompt_tokens: u64,
    /// Tokens written.
    pub completion_tokens: u64,
    /// Part of `prompt_tokens` that came from a cache.
    pub cached_tokens: u64,
}

/// A complete answer of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Text for the user; empty beside pure tool calls.
    pub content: String,
    /// Thinking text, if the provider shows it.
    pub reasoning: Option<String>,
    /// Calls in the order made; ids are unique and never empty.
    pub tool_calls: Vec<ToolCall>,
    /// Why it ended.
    pub finish: FinishReason,
    /// Token counts, if the provider tells.
    pub usage: Option<Usage>,
    /// The model that answered, as the provider names it.
    pub model: Option<String>,
}

impl Reply {
    /// The reply as an entry of the conversation.
    pub fn into_message(self) -> Message {
        Message::Assistant {
            content: self.content,
            tool_calls: self.tool_calls,
            reasoning: self.reasoning,
        }
    }
}

/// A piece of an answer on its way, for showing it while it arrives. The complete [`Reply`]
/// holds everything again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delta<'a> {
    /// More text; always whole characters.
    Text(&'a str),
    /// More thinking text.
    Reasoning(&'a str),
    /// The model has begun to call this tool; its arguments are still coming.
    ToolCall(&'a str),
    /// The request failed and goes out again after `delay`; nothing was shown of it so far.
    Retry {
        /// One line: what happened.
        reason: &'a str,
        /// How long the client waits.
        delay: Duration,
    },
}

impl Delta<'_> {
    /// True for what a user may have seen of the answer itself; such a request isn't repeated.
    pub(crate) fn is_output(self) -> bool {
        match self {
            Self::Text(text) | Self::Reasoning(text) => !text.is_empty(),
            Self::ToolCall(_) | Self::Retry { .. } => false,
        }
    }
}
