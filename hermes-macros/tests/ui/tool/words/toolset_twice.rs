#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool(toolset = "a", toolset = "b")]
fn work() {}

fn main() {}
