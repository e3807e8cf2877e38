#![allow(unused)]

use hermes_core::prelude::*;

/// Shows it.
#[hermes_command]
fn status() {}

fn main() {}
