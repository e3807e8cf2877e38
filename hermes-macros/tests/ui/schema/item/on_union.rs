#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema]
union Foo {
    number: u8,
}

fn main() {}
