//! What the author of a Hermes plugin imports: typed tools, hooks and commands for an LLM agent.
//!
//! A plugin is a crate. It says once that it is one, then every item registers itself:
//!
//! ```
//! //! Greetings.
//! use hermes_core::prelude::*;
//!
//! hermes_core::plugin! {}
//!
//! /// Greet a person by name. Use it when the user introduces somebody.
//! #[hermes_tool(read_only)]
//! fn greet(
//!     /// The person's name, for example `Ada`
//!     name: String,
//!     /// How many exclamation marks to add
//!     #[arg(default = 1)]
//!     cheers: u8,
//! ) -> String {
//!     format!("Hello {name}{}", "!".repeat(cheers.into()))
//! }
//! # fn main() {}
//! ```
//!
//! The JSON schema a model sees is made from the parameters' types and their doc comments, so it
//! can't drift from the code. The function stays an ordinary function.
//!
//! * Results: any type with a schema, `Result` of one with any error, or [`ToolOutput`].
//! * Errors: `?` from any error into [`ToolError`]; [`ToolError::field`] adds data for the model.
//! * `&T` parameters are injected: [`ToolContext`], [`CancelToken`], state made by
//!   [`hermes_state`].
//! * [`hermes_hook`] watches or judges every tool call; [`hermes_command`] adds a `/command`.
//!
//! This crate holds definitions only: no engine, no async runtime, no I/O. `hermes-agent-runtime`
//! runs what is defined here.

mod cancel;
mod command;
mod context;
mod error;
mod hook;
mod inject;
mod number;
mod plugin;
mod secret;
mod tool;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use cancel::{CancelToken, Cancelled};
pub use command::{CommandDef, CommandHandler, CommandItem};
pub use context::{CallIds, CommandContext, HookContext, Host, Platform, Scope, ToolContext};
pub use error::Error;
pub use hermes_macros::{
    hermes_command, hermes_hook, hermes_schema, hermes_state, hermes_tool, plugin,
};
pub use hook::{
    Event, EventData, EventKind, HookDef, HookHandler, HookItem, HookReturn, HookRole, Judged,
    PostToolCall, PreToolCall, ToolCallData, ToolResultData, Verdict,
};
pub use inject::Inject;
pub use number::JsonNumber;
pub use plugin::{Item, Origin, PLUGINS, PluginDef, SkillDef, StateDef, plugin_name};
pub use secret::Secret;
pub use tool::{
    Availability, DecodeFn, Fault, Handled, Handler, Hints, IntoToolError, IntoToolOutput,
    SchemaFn, Status, ToolArgs, ToolDef, ToolError, ToolExample, ToolItem, ToolOutput,
};

/// Everything a plugin's source names: attributes, contexts, events and verdicts, results, errors,
/// `json!` and `tracing`'s macros.
pub mod prelude {
    pub use crate::{
        CancelToken, CommandContext, Error, HookContext, PostToolCall, PreToolCall, Secret,
        ToolContext, ToolError, ToolOutput, Verdict, hermes_command, hermes_hook, hermes_schema,
        hermes_state, hermes_tool,
    };
    pub use serde_json::{Value, json};
    pub use tracing::{debug, error, info, trace, warn};
}
