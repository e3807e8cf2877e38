#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_hook(pre_tool_call)]
fn watch(event: &PostToolCall<'_>) {}

fn main() {}
