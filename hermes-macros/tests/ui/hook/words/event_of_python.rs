#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_hook(subagent_start)]
fn watch(event: &PreToolCall<'_>) {}

fn main() {}
