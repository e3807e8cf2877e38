#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_schema]
struct Foo {
    text: String,
}

/// Does it.
#[hermes_tool]
fn work(args: Foo) -> Foo {
    args
}

fn main() {}
