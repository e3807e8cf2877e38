#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema(allow_undocument)]
struct Foo {
    /// A text
    text: String,
}

fn main() {}
