#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema]
struct Foo {
    text: String,
    number: u8,
}

fn main() {}
