#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

struct Foo {
    text: String,
}

/// Does it.
#[hermes_tool]
fn work(args: Foo) {}

fn main() {}
