#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Shows it.
#[hermes_command]
fn status(raw: &str) -> Result<String, String> { Ok(String::new()) }

fn main() {}
