#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool(output = text)]
fn work() {}

fn main() {}
