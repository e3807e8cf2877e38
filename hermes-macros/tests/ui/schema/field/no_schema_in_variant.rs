#![allow(unused)]

use hermes_core::prelude::*;

struct Bar;

#[hermes_schema]
enum Foo {
    /// A thing
    Thing {
        /// A thing
        bar: Option<Bar>,
    },
}

fn main() {}
