#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema]
enum Shape {
    /// Round
    Circle { radius: f64 },
}

fn main() {}
