#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema]
struct Foo(#[arg(default = 3)] u8);

fn main() {}
