#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_schema]
struct Deliver {
    /// A text
    text: String,
}

/// Shows it.
#[hermes_command]
fn status(args: Deliver) {}

fn main() {}
