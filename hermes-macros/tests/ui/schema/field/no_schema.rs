#![allow(unused)]

use hermes_core::prelude::*;

struct Bar;

#[hermes_schema]
struct Foo {
    /// A thing
    bar: Bar,
}

fn main() {}
