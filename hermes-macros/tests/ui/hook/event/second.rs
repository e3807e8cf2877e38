#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_state]
#[derive(Default)]
struct Count;

#[hermes_hook]
fn watch(client: &Count, event: &PreToolCall<'_>) {}

fn main() {}
