//! Hooks: the events, and what a function that watches or judges them returns.

mod def;
mod event;

pub use def::{HookDef, HookHandler, HookItem, HookReturn, HookRole, Judged, Verdict};
pub use event::{
    Event, EventData, EventKind, PostToolCall, PreToolCall, ToolCallData, ToolResultData,
};
