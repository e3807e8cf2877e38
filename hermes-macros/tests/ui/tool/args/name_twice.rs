#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool]
fn work(
    /// A thing
    thing: u8,
    /// A thing
    thing: u8,
) {}

fn main() {}
