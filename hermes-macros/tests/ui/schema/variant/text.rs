#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema]
enum Shape {
    /// Nothing
    Empty,
    /// A text
    Str(String),
}

fn main() {}
