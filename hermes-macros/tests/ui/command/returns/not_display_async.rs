#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Shows it.
#[hermes_command]
async fn status(raw: &str) -> Vec<u8> { Vec::new() }

fn main() {}
