#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema]
struct Foo<'a> {
    /// A text
    text: &'a std::path::Path,
}

fn main() {}
