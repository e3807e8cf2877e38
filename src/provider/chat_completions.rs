//! The chat-completions wire format: request → JSON, body or stream → reply. No retry, no
//! environment, no sockets.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::{RawValue, Value};

use super::assemble::{Assembler, DeltaSink, ReplyTooLarge};
use super::error::BodyKind;
use super::history::{self, HistoryRules};
use super::message::{Message, Reply, ToolCall, ToolChoice, ToolSpec};
use super::profile::Profile;
use super::stream::{EventTooLarge, SseParser};
use super::wire::{self, Packet};

/// What to ask the model.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The conversation; [`history::prepare`] is applied on encoding.
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
pub struct Encoding<'a> {
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
pub fn encode(request: &Request, encoding: Encoding<'_>) -> Result<Vec<u8>, serde_json::Error> {
    let rules = HistoryRules::of(encoding.profile);
    let messages = history::prepare(&request.messages, rules);
    let messages: Vec<_> = messages.iter().map(|message| WireMessage::new(message, rules)).collect();
    let has_tools = !request.tools.is_empty();
    let max_tokens = request.max_tokens.map(Value::from);
    let known = ["model", "messages", "tools", "stream", "stream_options"];
    let is_set = |name: &str| {
        known.contains(&name)
            || (name == "tool_choice" && request.tool_choice != ToolChoice::Auto)
            || (name == "temperature" && request.temperature.is_some())
            || (name == encoding.profile.max_tokens_field && max_tokens.is_some())
    };
    let mut more: serde_json::Map<String, Value> =
        request.extra.iter().filter(|(name, _)| !is_set(name)).map(|(name, value)| (name.clone(), value.clone())).collect();
    if let Some(limit) = max_tokens {
        more.insert(encoding.profile.max_tokens_field.to_owned(), limit);
    }
    serde_json::to_vec(&Body {
        model: encoding.model,
        messages,
        tools: request.tools.iter().map(WireTool::new).collect(),
        tool_choice: has_tools.then(|| wire_choice(&request.tool_choice)).flatten(),
        temperature: request.temperature,
        stream: true,
        stream_options: encoding.stream_options.then_some(StreamOptions { include_usage: true }),
        more,
    })
}

fn wire_choice(choice: &ToolChoice) -> Option<Value> {
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::None => Some(Value::from("none")),
        ToolChoice::Required => Some(Value::from("required")),
        ToolChoice::Tool(name) => Some(serde_json::json!({"type": "function", "function": {"name": name}})),
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
            Message::Tool { call_id, content, .. } => Self { tool_call_id: Some(call_id), ..plain("tool", content) },
            Message::Assistant { content, tool_calls, reasoning } => Self {
                tool_calls: tool_calls.iter().map(WireCall::new).collect(),
                // Missing and empty are refused beside calls, one blank passes.
                reasoning_content: (rules.replay_reasoning && !tool_calls.is_empty())
                    .then(|| reasoning.as_deref().filter(|text| !text.is_empty()).unwrap_or(" ")),
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
        Self { id: &call.id, kind: "function", function: WireFunction { name, arguments } }
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
        let function =
            WireToolFunction { name: &tool.name, description: &tool.description, parameters: &tool.parameters };
        Self { kind: "function", function }
    }
}

/// How much of an answer is held in memory, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct SizeLimits {
    /// One event of a stream.
    pub event: usize,
    /// Text, thinking and arguments together; also a body that isn't a stream.
    pub reply: usize,
}

impl Default for SizeLimits {
    fn default() -> Self {
        Self { event: 16 * 1024 * 1024, reply: 64 * 1024 * 1024 }
    }
}

/// What is wrong with the body of a 200.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// An error object in place of, or amid, the answer: its JSON text.
    Refused(String),
    /// Something else than a completion, and how it began.
    NotAReply(BodyKind, String),
    /// It ended in the middle.
    Cut {
        /// Characters of text until then.
        received: usize,
        /// How.
        detail: String,
    },
    /// Too much of it: what, and the bytes allowed.
    TooLarge(&'static str, usize),
}

/// Reads the body of a 200, in portions of any size. Streams are told from plain JSON by their
/// first byte, since servers ignore `stream: true` and send wrong content types.
pub struct Decoder<'r> {
    limits: SizeLimits,
    mode: Mode,
    reply: Assembler<'r>,
    /// How the body began, for the case that it is none of ours.
    head: Vec<u8>,
    events: u64,
    done: bool,
}

enum Mode {
    Unknown,
    Stream(SseParser),
    Whole(Vec<u8>),
}

impl<'r> Decoder<'r> {
    /// For the answer to a request that offered `tools`.
    pub fn new(tools: &'r [ToolSpec], limits: SizeLimits) -> Self {
        let reply = Assembler::new(tools, limits.reply);
        Self { limits, mode: Mode::Unknown, reply, head: Vec::new(), events: 0, done: false }
    }

    /// True after `[DONE]`: the rest of the body doesn't matter.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Characters of text so far, for [`Fault::Cut`] by a broken connection.
    pub fn received(&self) -> usize {
        self.reply.received()
    }

    /// Whether a finish reason came; then a broken connection loses nothing but token counts.
    pub fn is_complete(&self) -> bool {
        self.done || self.reply.is_finished()
    }

    /// Takes the next portion.
    ///
    /// # Errors
    /// An error object in the stream, an event that isn't JSON, a size limit.
    pub fn push(&mut self, portion: &[u8], sink: &mut DeltaSink<'_>) -> Result<(), Fault> {
        let mut portion = portion;
        if matches!(self.mode, Mode::Unknown) {
            portion = trim_start(portion);
            let Some(first) = portion.first() else { return Ok(()) };
            self.mode = match first {
                b'd' | b'e' | b'i' | b'r' | b':' => Mode::Stream(SseParser::new(self.limits.event)),
                _ => Mode::Whole(Vec::new()),
            };
        }
        let room = 400_usize.saturating_sub(self.head.len()).min(portion.len());
        self.head.extend_from_slice(&portion[..room]);
        match &mut self.mode {
            Mode::Whole(body) => {
                if body.len() + portion.len() > self.limits.reply {
                    return Err(Fault::TooLarge("the answer", self.limits.reply));
                }
                body.extend_from_slice(portion);
                // A web page needn't be read to its end.
                if body.first().is_some_and(|byte| !matches!(byte, b'{' | b'[')) && body.len() > 4096 {
                    return Err(not_a_reply(body));
                }
            }
            Mode::Stream(parser) => parser.feed(portion),
            Mode::Unknown => {}
        }
        self.events(false, sink)
    }

    /// Ends the body.
    ///
    /// # Errors
    /// As [`Decoder::push`]; also if the answer isn't complete or isn't one.
    pub fn finish(mut self, sink: &mut DeltaSink<'_>) -> Result<Reply, Fault> {
        match std::mem::replace(&mut self.mode, Mode::Unknown) {
            Mode::Unknown => return Err(not_a_reply(b"")),
            Mode::Whole(body) => return self.finish_whole(&body, sink),
            stream @ Mode::Stream(_) => self.mode = stream,
        }
        self.events(true, sink)?;
        if self.events == 0 {
            return Err(not_a_reply(&self.head));
        }
        if !self.is_complete() {
            return Err(self.cut("the connection was closed before the end"));
        }
        self.reply.finish(sink).ok_or_else(|| Fault::Cut { received: 0, detail: "an empty stream".to_owned() })
    }

    fn finish_whole(mut self, body: &[u8], sink: &mut DeltaSink<'_>) -> Result<Reply, Fault> {
        let text = String::from_utf8_lossy(body);
        if !text.starts_with('{') {
            return Err(not_a_reply(body));
        }
        if let Err(error) = self.packet(&text, false, sink) {
            return Err(match error {
                PacketFault::Json(error) if error.is_eof() => self.cut("the body ends in the middle"),
                PacketFault::Json(_) => not_a_reply(body),
                PacketFault::Fault(fault) => fault,
            });
        }
        self.reply.finish(sink).ok_or_else(|| not_a_reply(body))
    }

    /// Handles the events that are complete.
    fn events(&mut self, at_end: bool, sink: &mut DeltaSink<'_>) -> Result<(), Fault> {
        while !self.done {
            let Mode::Stream(parser) = &mut self.mode else { return Ok(()) };
            let too_large = |EventTooLarge| Fault::TooLarge("an event of the stream", self.limits.event);
            let event = match parser.next_event().map_err(too_large)? {
                None if at_end => parser.finish(),
                event => event,
            };
            let Some(event) = event else { return Ok(()) };
            let (data, is_error) = (event.data.into_owned(), event.is_error);
            self.event(&data, is_error, sink)?;
        }
        Ok(())
    }

    fn event(&mut self, data: &str, is_error: bool, sink: &mut DeltaSink<'_>) -> Result<(), Fault> {
        self.events += 1;
        let data = data.trim();
        if data.is_empty() {
            return Ok(());
        }
        if data == "[DONE]" {
            self.done = true;
            return Ok(());
        }
        match self.packet(data, is_error, sink) {
            Ok(()) => Ok(()),
            Err(PacketFault::Fault(fault)) => Err(fault),
            // Some servers forget the blank lines between events.
            Err(PacketFault::Json(_)) if data.contains('\n') => {
                data.lines().try_for_each(|line| {
                    if self.done { Ok(()) } else { self.event(line, is_error, sink) }
                })
            }
            Err(PacketFault::Json(_)) if is_error => Err(Fault::Refused(data.to_owned())),
            Err(PacketFault::Json(_)) => Err(self.cut(&format!("not JSON: {}", excerpt(data)))),
        }
    }

    fn packet(&mut self, text: &str, is_error: bool, sink: &mut DeltaSink<'_>) -> Result<(), PacketFault> {
        let packet: Packet<'_> = serde_json::from_str(text).map_err(PacketFault::Json)?;
        let object_is_error = wire::text(packet.object).is_some_and(|object| object == "error");
        if is_error || object_is_error || packet.error.is_some() {
            return Err(PacketFault::Fault(Fault::Refused(text.to_owned())));
        }
        if let Some(usage) = packet.usage.and_then(wire::usage) {
            self.reply.usage = Some(usage);
        }
        if let Some(model) = wire::word(packet.model).filter(|_| self.reply.model.is_none()) {
            self.reply.model = Some(model.into_owned());
        }
        if let Some(choice) = packet.choices.iter().flatten().next() {
            let limit = self.limits.reply;
            let too_large = |ReplyTooLarge| PacketFault::Fault(Fault::TooLarge("the answer", limit));
            self.reply.choice(choice, self.events, sink).map_err(too_large)?;
        }
        if self.reply.finish_word() == Some("error") {
            return Err(PacketFault::Fault(self.cut("finish_reason `error`")));
        }
        Ok(())
    }

    fn cut(&self, detail: &str) -> Fault {
        Fault::Cut { received: self.received(), detail: detail.to_owned() }
    }
}

enum PacketFault {
    Json(serde_json::Error),
    Fault(Fault),
}

fn not_a_reply(body: &[u8]) -> Fault {
    let text = String::from_utf8_lossy(&body[..body.len().min(1024)]);
    let kind = match text.trim_start().as_bytes().first() {
        None => BodyKind::Empty,
        Some(b'<') => BodyKind::Html,
        Some(b'{' | b'[') => BodyKind::Json,
        Some(_) => BodyKind::Text,
    };
    Fault::NotAReply(kind, excerpt(&text))
}

fn trim_start(bytes: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || [0xEF, 0xBB, 0xBF].contains(byte);
    let start = bytes.iter().position(|byte| !is_blank(byte)).unwrap_or(bytes.len());
    &bytes[start..]
}

/// The first 80 characters, on one line.
pub(super) fn excerpt(text: &str) -> String {
    super::classify::one_line(text, 80)
}

#[cfg(test)]
mod tests;
