#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool]
fn work(
    /// A thing
    #[arg(defualt = 3)]
    thing: u8,
) {}

fn main() {}
