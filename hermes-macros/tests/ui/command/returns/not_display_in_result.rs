#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Shows it.
#[hermes_command]
fn status(raw: &str) -> Result<Vec<u8>, Error> { Ok(Vec::new()) }

fn main() {}
