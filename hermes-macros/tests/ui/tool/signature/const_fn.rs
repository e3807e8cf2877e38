#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool]
const fn work() -> Foo {
    Foo
}

struct Foo;

fn main() {}
