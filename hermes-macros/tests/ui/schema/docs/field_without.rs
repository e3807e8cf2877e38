#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema]
struct Foo {
    text: String,
}

fn main() {}
