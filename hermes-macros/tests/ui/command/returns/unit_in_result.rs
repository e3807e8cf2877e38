#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Shows it.
#[hermes_command]
fn status(raw: &str) -> Result<(), Error> { Ok(()) }

fn main() {}
