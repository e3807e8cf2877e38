#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool(check = ready)]
fn work() {}

fn ready(level: u8) -> bool {
    level > 1
}

fn main() {}
