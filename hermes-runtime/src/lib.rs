//! The engine under Hermes: what the crates linked into a binary define becomes one frozen
//! registry, and every call of a tool, whoever makes it, goes [one road](Runtime::call).
//!
//! ```
//! # use hermes_core::prelude::*;
//! # hermes_core::plugin! { name = "doc" }
//! /// Doubles a number.
//! #[hermes_tool(inline)]
//! fn double(
//!     /// Any whole number
//!     n: i64,
//! ) -> i64 {
//!     n * 2
//! }
//!
//! # fn main() {
//! # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
//! let runtime = hermes_runtime::Runtime::builder().build();
//! let reply = runtime.call("double", r#"{"n": "21"}"#, &Default::default()).await;
//! assert_eq!(reply.json(), r#"{"result":42}"#);
//! # });
//! # }
//! ```
//!
//! [`Runtime::call`] needs a tokio runtime with time, except for `inline` tools nobody hooks into.

mod availability;
mod builder;
mod call;
mod clock;
mod collect;
mod contain;
pub mod env;
mod examples;
mod gate;
mod hooks;
mod registry;
mod report;
mod runtime;
mod schema;
mod state;
mod tasks;
pub mod testing;
mod threads;

pub use builder::Builder;
pub use call::args;
pub use call::{CallContext, Consent, ToolReply, Trace, TraceStep};
pub use clock::Clock;
pub use contain::in_contained_call;
pub use gate::Gate;
pub use report::{LoadFault, LoadReport, PluginReport, PluginStatus};
pub use runtime::{CommandView, ExampleCall, Runtime, ToolDefinition, ToolView};
pub use schema::Canonical;
