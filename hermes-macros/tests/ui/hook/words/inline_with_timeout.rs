#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_hook(inline, timeout = "1s")]
fn watch(event: &PreToolCall<'_>) {}

fn main() {}
