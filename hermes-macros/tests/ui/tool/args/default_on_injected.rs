#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool]
fn work(#[arg(default)] token: &CancelToken) {}

fn main() {}
