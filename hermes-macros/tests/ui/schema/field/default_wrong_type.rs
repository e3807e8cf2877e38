#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema]
struct Foo {
    /// A number
    #[arg(default = "three")]
    number: u8,
}

fn main() {}
