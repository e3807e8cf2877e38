#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema]
struct Foo {
    /// A text
    #[arg(defult)]
    text: String,
}

fn main() {}
