#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_hook(priority = 1, priority = 2)]
fn watch(event: &PreToolCall<'_>) {}

fn main() {}
