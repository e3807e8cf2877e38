#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Says what the weather will be.
#[hermes_tool(example(ask = "Will it rain in London?", args = { "city": "London" }))]
fn forecast(
) {}

fn main() {}
