#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_schema]
#[derive(Default)]
struct Foo {
    /// A text
    text: String,
}

/// Does it.
#[hermes_tool]
fn work(#[arg(default)] args: Foo) {}

fn main() {}
