//! The chat-completions wire format: request → JSON. No retry, no environment, no sockets; the
//! way back is [`super::decode`].

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::{RawValue, Value};

use super::history::{self, HistoryRules};
use super::message::{Message, ToolCall, ToolChoice, ToolSpec};
use super::profile::Profile;

/// What to ask the model.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The conversation; made acceptable for the provider on encoding.
    pub messages: Vec<Message>,
    /// Tools on offer, in the order in which they go out. Keep it stable: caches depend on it.
    pub tools: Vec<ToolSpec>,
    /// May, must or must not call. Only sent when there are tools.
    pub tool_choice: ToolChoice,
    /// Sampling temperature; newer OpenAI models refuse it, so leave it out by default.
    pub temperature: Option<f64>,
    /// Output limit in tokens.
    pub max_tokens: Option<u32>,
    /// More fields for the body (`response_format`, `reasoning_effort` …). Fields set above win.
    pub extra: serde_json::Map<String, Value>,
}

/// How a body is to be written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Encoding<'a> {
    /// Model name.
    pub model: &'a str,
    /// The provider's habits.
    pub profile: &'a Profile,
    /// Whether to ask for token counts at the end of the stream.
    pub stream_options: bool,
}

/// Writes the body of a streamed request. Equal requests give equal bytes.
///
/// # Errors
/// Only if `extra` holds what JSON can't express.
pub(super) fn encode(
    request: &Request,
    encoding: Encoding<'_>,
) -> Result<Vec<u8>, serde_json::Error> {
    let rules = HistoryRules::of(encoding.profile);
    let messages = history::prepare(&request.messages, rules);
    let messages: Vec<_> = messages
        .iter()
        .map(|message| WireMessage::new(message, rules))
        .collect();
    let has_tools = !request.tools.is_empty();
    let max_tokens = request.max_tokens.map(Value::from);
    let known = ["model", "messages", "tools", "stream", "stream_options"];
    let is_set = |name: &str| {
        known.contains(&name)
            || (name == "tool_choice" && request.tool_choice != ToolChoice::Auto)
            || (name == "temperature" && request.temperature.is_some())
            || (name == encoding.profile.max_tokens_field && max_tokens.is_some())
    };
    let mut more: serde_json::Map<String, Value> = request
        .extra
        .iter()
        .filter(|(name, _)| !is_set(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    if let Some(limit) = max_tokens {
        more.insert(encoding.profile.max_tokens_field.to_owned(), limit);
    }
    serde_json::to_vec(&Body {
        model: encoding.model,
        messages,
        tools: request.tools.iter().map(WireTool::new).collect(),
        tool_choice: has_tools
            .then(|| wire_choice(&request.tool_choice))
            .flatten(),
        temperature: request.temperature,
        stream: true,
        stream_options: encoding.stream_options.then_some(StreamOptions {
            include_usage: true,
        }),
        more,
    })
}

fn wire_choice(choice: &ToolChoice) -> Option<Value> {
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::None => Some(Value::from("none")),
        ToolChoice::Required => Some(Value::from("required")),
        ToolChoice::Tool(name) => {
            Some(serde_json::json!({"type": "function", "function": {"name": name}}))
        }
    }
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<WireMessage<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<WireTool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(flatten)]
    more: serde_json::Map<String, Value>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct WireMessage<'a> {
    role: &'static str,
    /// `""` rather than null beside tool calls: some servers and templates want the key to hold
    /// text, none of this API refuses the empty string there.
    content: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<WireCall<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a str>,
}

impl<'a> WireMessage<'a> {
    fn new(message: &'a Message, rules: HistoryRules) -> Self {
        let plain = |role, content: &'a String| Self {
            role,
            content,
            reasoning_content: None,
            tool_calls: Vec::new(),
            tool_call_id: None,
        };
        match message {
            Message::System { content } => plain("system", content),
            Message::User { content } => plain("user", content),
            Message::Tool {
                call_id, content, ..
            } => Self {
                tool_call_id: Some(call_id),
                ..plain("tool", content)
            },
            Message::Assistant {
                content,
                tool_calls,
                reasoning,
            } => Self {
                tool_calls: tool_calls.iter().map(WireCall::new).collect(),
                // Missing and empty are refused beside calls, one blank passes.
                reasoning_content: (rules.replay_reasoning && !tool_calls.is_empty()).then(|| {
                    reasoning
                        .as_deref()
                        .filter(|text| !text.is_empty())
                        .unwrap_or(" ")
                }),
                ..plain("assistant", content)
            },
        }
    }
}

#[derive(Serialize)]
struct WireCall<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    function: WireFunction<'a>,
}

#[derive(Serialize)]
struct WireFunction<'a> {
    name: Cow<'a, str>,
    arguments: Cow<'a, str>,
}

impl<'a> WireCall<'a> {
    fn new(call: &'a ToolCall) -> Self {
        let name = history::legal_name(&call.name);
        let arguments = history::legal_arguments(&call.arguments);
        Self {
            id: &call.id,
            kind: "function",
            function: WireFunction { name, arguments },
        }
    }
}

#[derive(Serialize)]
struct WireTool<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    function: WireToolFunction<'a>,
}

#[derive(Serialize)]
struct WireToolFunction<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a RawValue,
}

impl<'a> WireTool<'a> {
    fn new(tool: &'a ToolSpec) -> Self {
        let function = WireToolFunction {
            name: &tool.name,
            description: &tool.description,
            parameters: &tool.parameters,
        };
        Self {
            kind: "function",
            function,
        }
    }
}

#[cfg(test)]
mod tests;
