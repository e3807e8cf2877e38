#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool(toolst = "math")]
fn work(path: &std::path::Path, (a, b): (u8, u8)) -> impl ToString {
    5
}

fn main() {}
