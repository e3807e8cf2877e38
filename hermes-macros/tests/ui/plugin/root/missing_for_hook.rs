#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_hook]
fn watch(event: &PreToolCall<'_>) {}

fn main() {}
