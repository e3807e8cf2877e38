#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Shows it.
#[hermes_command(name = "Status")]
fn status(raw: &str) {}

fn main() {}
