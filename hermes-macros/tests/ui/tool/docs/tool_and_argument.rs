#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_tool]
fn work(name: String) {}

fn main() {}
