#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema]
fn foo() {}

fn main() {}
