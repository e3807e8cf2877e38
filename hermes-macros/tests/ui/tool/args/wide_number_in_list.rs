#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool]
fn work(
    /// Numbers
    numbers: &[Option<i128>],
) {}

fn main() {}
