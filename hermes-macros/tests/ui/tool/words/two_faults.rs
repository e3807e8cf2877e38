#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool(toolst = "math", timeout = 30)]
fn work() {}

fn main() {}
