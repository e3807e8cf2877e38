#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_hook(pre_tool_cal)]
fn watch(event: &PreToolCall<'_>) {}

fn main() {}
