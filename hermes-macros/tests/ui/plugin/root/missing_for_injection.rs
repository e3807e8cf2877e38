#![allow(unused)]

use hermes_core::prelude::*;

/// Does it.
#[hermes_tool]
fn work(token: &CancelToken, ctx: &ToolContext) {}

fn main() {}
