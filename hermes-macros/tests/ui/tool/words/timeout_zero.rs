#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool(timeout = "0s")]
fn work() {}

fn main() {}
