#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_hook]
fn watch(event: &PreToolCall<'_>) -> impl Into<Verdict> { Verdict::Allow }

fn main() {}
