#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema]
enum Side {
    Left,
}

fn main() {}
