#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_hook]
fn watch<T>(event: &PreToolCall<'_>) {}

fn main() {}
