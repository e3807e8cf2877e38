#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_hook(prioritty = 2)]
fn watch(event: &PreToolCall<'_>) {}

fn main() {}
