#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Shows it.
#[hermes_command(description = "a", description = "b")]
fn status(raw: &str) {}

fn main() {}
