#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema]
enum Shape {
    /// A number
    Num(u8),
}

fn main() {}
