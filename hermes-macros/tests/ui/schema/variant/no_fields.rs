#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema]
enum Shape {
    /// Nothing
    Empty(),
    /// A thing
    Thing {
        /// A size
        size: u8,
    },
}

fn main() {}
