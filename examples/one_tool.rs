//! A whole program: one tool, and a host around it that lists it, calls it, and lets a model use it.
//!
//! ```text
//! cargo run --example one_tool -- tools call greet name=Ada
//! ```

use hermes_core::prelude::*;
use std::process::ExitCode;

hermes_core::plugin! { name = "greeter" }

/// Greet a person. Use it when the user introduces somebody.
#[hermes_tool(inline)]
fn greet(
    /// The person's name, for example `Ada`
    name: String,
) -> String {
    format!("Hello {name}!")
}

fn main() -> ExitCode {
    hermes::run()
}
