#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_hook]
fn watch(event: &PreToolCall<'_>, ctx: &ToolContext) {}

fn main() {}
