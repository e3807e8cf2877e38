#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

struct Foo;

/// Does it.
#[hermes_tool]
async fn work() -> Result<Foo, ToolError> { Ok(Foo) }

fn main() {}
