#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool]
fn work<'a>(
    /// A thing
    thing: &'a str,
) {}

fn main() {}
