#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool(max_result_chars = 0)]
fn work() {}

fn main() {}
