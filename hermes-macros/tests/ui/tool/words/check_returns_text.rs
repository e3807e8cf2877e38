#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool(check = ready)]
fn work() {}

fn ready() -> String {
    String::new()
}

fn main() {}
