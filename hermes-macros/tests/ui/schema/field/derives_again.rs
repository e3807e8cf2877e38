#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema]
#[derive(hermes_core::__private::Serialize)]
struct Foo {
    /// A text
    text: String,
}

fn main() {}
