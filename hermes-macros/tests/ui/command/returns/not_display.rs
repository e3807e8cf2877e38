#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Shows it.
#[hermes_command]
fn status(raw: &str) -> Vec<u8> { Vec::new() }

fn main() {}
