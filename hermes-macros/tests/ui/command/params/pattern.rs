#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Shows it.
#[hermes_command]
fn status((a, b): (u8, u8)) {}

fn main() {}
