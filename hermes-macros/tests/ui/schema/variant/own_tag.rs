#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema]
#[serde(tag = "kind")]
enum Shape {
    /// A number
    Num(u8),
}

fn main() {}
