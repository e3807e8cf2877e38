#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_hook(priority = "high")]
fn watch(event: &PreToolCall<'_>) {}

fn main() {}
