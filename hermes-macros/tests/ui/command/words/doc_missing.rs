#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_command]
fn status(raw: &str) {}

fn main() {}
