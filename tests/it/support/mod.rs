//! What the topics share: the built binary in a clean environment with a home of its own, and a
//! scripted model.
#![cfg_attr(
    not(feature = "plugin-calculator"),
    allow(dead_code, unused_imports, reason = "tests of tool calls need a tool")
)]

#[cfg(target_os = "linux")]
mod engine;
mod home;
mod process;
mod replies;
mod server;
#[cfg(target_os = "linux")]
mod table;

#[cfg(target_os = "linux")]
pub(crate) use engine::Local;
pub(crate) use home::Home;
pub(crate) use process::{Hermes, Ran, hermes, program};
pub(crate) use replies::{calls, cassette, chunk, events, fragments, message, says};
pub(crate) use server::{Answer, Server};
