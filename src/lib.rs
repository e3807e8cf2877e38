//! The host: a command line and an agent over the engine of `hermes-agent-runtime`.
//!
//! The plugins whose features are on are linked by this library, so that its tests see them too. A
//! binary of one's own is a host as well: it names its plugins and calls [`run`].
//!
//! ```no_run
//! use std::process::ExitCode;
//! // use hermes_plugin_weather as _;
//!
//! fn main() -> ExitCode {
//!     hermes::run()
//! }
//! ```

// Unit tests define tools of their own.
#[cfg(test)]
hermes_core::plugin! { name = "host-tests" }

mod agent;
mod cli;
mod config;
mod host;
mod local;
mod logs;
mod model;
mod plugins;
pub mod provider;
mod term;

use std::process::ExitCode;

/// Runs the command line of `hermes` with the process' arguments.
///
/// Exit codes: 0 it worked, 1 the tool or task failed, 2 wrong usage, 130 interrupted.
pub fn run() -> ExitCode {
    cli::run()
}
