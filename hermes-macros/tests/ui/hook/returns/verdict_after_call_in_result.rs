#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_hook]
fn watch(event: &PostToolCall<'_>) -> Result<Verdict, Error> { Ok(Verdict::Allow) }

fn main() {}
