#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

struct Foo;

/// Does it.
#[hermes_tool]
fn work(
    /// A thing
    thing: Option<Foo>,
) {}

fn main() {}
