#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_hook(pre_tool_call = true)]
fn watch(event: &PreToolCall<'_>) {}

fn main() {}
