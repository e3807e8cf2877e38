#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_hook(timeout = "3 days")]
fn watch(event: &PreToolCall<'_>) {}

fn main() {}
