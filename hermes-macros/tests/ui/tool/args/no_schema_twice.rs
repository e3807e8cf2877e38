#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

struct Foo;
struct Bar;

/// Does it.
#[hermes_tool]
fn work(
    /// A thing
    thing: Foo,
    /// A thing
    other: Vec<Bar>,
) {}

fn main() {}
