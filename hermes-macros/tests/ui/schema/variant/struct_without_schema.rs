#![allow(unused)]

use hermes_core::prelude::*;

struct Circle;

#[hermes_schema]
enum Shape {
    /// Round
    Circle(Circle),
}

fn main() {}
