#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool]
async fn work() -> Result<String, String> { Err(String::new()) }

fn main() {}
