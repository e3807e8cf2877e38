#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool(crate = "hermes_core")]
fn work() {}

fn main() {}
