#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema]
struct Foo {
    /// A text
    #[serde(alias = "file")]
    text: String,
}

fn main() {}
