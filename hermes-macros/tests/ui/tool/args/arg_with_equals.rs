#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool]
fn work(
    /// A thing
    #[arg = "x"]
    thing: String,
) {}

fn main() {}
