use crate::Status;
use serde_json::{Map, Value};
use std::time::Duration;

/// The names of the events, as text and config spell them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EventKind {
    /// Before a tool runs.
    PreToolCall,
    /// After a tool call ended, however it did.
    PostToolCall,
}

impl EventKind {
    /// The event's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PreToolCall => "pre_tool_call",
            Self::PostToolCall => "post_tool_call",
        }
    }
}

/// An event's data, owned by the engine and shared by the hooks of one event.
#[derive(Debug)]
#[non_exhaustive]
pub enum EventData {
    /// See [`PreToolCall`].
    PreToolCall(ToolCallData),
    /// See [`PostToolCall`].
    PostToolCall(ToolResultData),
}

/// The data of a call.
#[derive(Debug, Clone)]
pub struct ToolCallData {
    /// The canonical name.
    pub tool_name: &'static str,
    /// The repaired arguments; `None` if they could not be read.
    pub args: std::sync::Arc<Map<String, Value>>,
    /// The session's id.
    pub session_id: String,
    /// The task's id.
    pub task_id: String,
    /// The id the model gave the call.
    pub call_id: String,
}

/// The data of a call that ended.
#[derive(Debug, Clone)]
pub struct ToolResultData {
    /// The call.
    pub call: ToolCallData,
    /// The envelope that the model gets, before the size cap.
    pub result: std::sync::Arc<str>,
    /// How it ended.
    pub status: Status,
    /// The text of the error.
    pub error: Option<String>,
    /// How long the handler ran.
    pub duration: Duration,
}

/// A type whose reference a hook takes as its first parameter.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no hook event",
    label = "not an event",
    note = "the first parameter of a hook is its event: `&PreToolCall<'_>` or `&PostToolCall<'_>`"
)]
pub trait Event<'a>: Sized {
    /// Which event.
    const KIND: EventKind;

    /// A view of the event's data; `None` if it is another event's.
    fn view(data: &'a EventData) -> Option<Self>;
}

/// A tool is about to be called. Guards return a [`Verdict`](crate::Verdict).
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct PreToolCall<'a> {
    /// The canonical name.
    pub tool_name: &'a str,
    /// The arguments as the tool will get them.
    pub args: &'a Map<String, Value>,
    /// The session's id, may be empty.
    pub session_id: &'a str,
    /// The task's id, may be empty.
    pub task_id: &'a str,
    /// The id the model gave the call, may be empty.
    pub tool_call_id: &'a str,
}

impl<'a> Event<'a> for PreToolCall<'a> {
    const KIND: EventKind = EventKind::PreToolCall;

    fn view(data: &'a EventData) -> Option<Self> {
        let EventData::PreToolCall(call) = data else {
            return None;
        };
        Some(Self {
            tool_name: call.tool_name,
            args: &call.args,
            session_id: &call.session_id,
            task_id: &call.task_id,
            tool_call_id: &call.call_id,
        })
    }
}

/// A tool call ended: with a result, an error, blocked, cancelled or out of time.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct PostToolCall<'a> {
    /// The canonical name.
    pub tool_name: &'a str,
    /// The arguments as the tool got them; empty if they could not be read.
    pub args: &'a Map<String, Value>,
    /// The envelope that the model gets: JSON text of one object.
    pub result: &'a str,
    /// How it ended.
    pub status: Status,
    /// The text of the error, if it is one.
    pub error_message: Option<&'a str>,
    /// How long the handler ran; zero if it didn't.
    pub duration: Duration,
    /// The session's id, may be empty.
    pub session_id: &'a str,
    /// The task's id, may be empty.
    pub task_id: &'a str,
    /// The id the model gave the call, may be empty.
    pub tool_call_id: &'a str,
}

impl<'a> Event<'a> for PostToolCall<'a> {
    const KIND: EventKind = EventKind::PostToolCall;

    fn view(data: &'a EventData) -> Option<Self> {
        let EventData::PostToolCall(ended) = data else {
            return None;
        };
        Some(Self {
            tool_name: ended.call.tool_name,
            args: &ended.call.args,
            result: &ended.result,
            status: ended.status,
            error_message: ended.error.as_deref(),
            duration: ended.duration,
            session_id: &ended.call.session_id,
            task_id: &ended.call.task_id,
            tool_call_id: &ended.call.call_id,
        })
    }
}
