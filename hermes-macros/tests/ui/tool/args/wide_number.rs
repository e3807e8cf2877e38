#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool]
fn work(
    /// A number
    number: u128,
) {}

fn main() {}
