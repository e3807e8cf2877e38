#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema(colour)]
struct Foo {
    /// A text
    text: String,
}

fn main() {}
