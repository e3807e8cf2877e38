#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool(name = "a234567890b234567890c234567890d234567890e234567890f234567890g234")]
fn work() {}

fn main() {}
