#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema(allow_undocumented = true)]
struct Foo {
    /// A text
    text: String,
}

fn main() {}
