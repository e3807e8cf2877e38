#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema]
enum Side {
    /// Left
    Left,
}

#[hermes_schema]
struct Foo {
    /// A side
    #[arg(default)]
    side: Side,
}

fn main() {}
