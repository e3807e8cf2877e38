#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_schema]
enum Side {
    /// Left
    Left,
}

/// Does it.
#[hermes_tool]
fn work(
    /// A thing
    #[arg(default)]
    side: Side,
) {}

fn main() {}
