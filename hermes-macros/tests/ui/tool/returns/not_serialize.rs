#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

struct Foo;

/// Does it.
#[hermes_tool(output = none)]
fn work() -> Foo { Foo }

fn main() {}
