#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool(inline, timeout = "1s")]
fn work() {}

fn main() {}
