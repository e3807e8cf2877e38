#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Shows it.
#[hermes_command]
fn status(raw: String) {}

fn main() {}
