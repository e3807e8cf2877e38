#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// # Errors
/// Never.
#[hermes_tool]
fn work() {}

fn main() {}
