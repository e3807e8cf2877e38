#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema]
#[serde(tag = "kind")]
enum Shape {
    /// Corners
    Poly(Vec<u8>, bool),
}

fn main() {}
