#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Shows it.
#[hermes_command(args_hint = 5)]
fn status(raw: &str) {}

fn main() {}
