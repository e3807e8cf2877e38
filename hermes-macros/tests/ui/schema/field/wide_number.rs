#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema]
struct Foo {
    /// A number
    number: Option<u128>,
}

fn main() {}
