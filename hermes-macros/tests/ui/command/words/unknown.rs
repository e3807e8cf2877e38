#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Shows it.
#[hermes_command(arg_hint = "[x]")]
fn status(raw: &str) {}

fn main() {}
