#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool]
fn work(
    /// A thing
    #[arg(default)]
    #[arg(default)]
    thing: String,
) {}

fn main() {}
