//! `hermes chat -q` against a scripted model: what goes out, what is shown, how it ends.
//!
//! The cases of `docs/hostile-cases.md` are here by name.

mod answers;
#[cfg(feature = "plugin-calculator")]
mod calls;
mod failures;
mod interrupt;
mod requests;
mod routes;

use crate::support::{Hermes, Server};

/// The question, to this server.
fn ask(server: &Server) -> Hermes {
    Hermes::new([
        "chat",
        "-q",
        "What is 2 to the power of 16?",
        "--base-url",
        &server.base_url(),
        "--model",
        "scripted",
    ])
}
