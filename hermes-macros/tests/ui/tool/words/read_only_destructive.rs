#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool(read_only, destructive)]
fn work() {}

fn main() {}
