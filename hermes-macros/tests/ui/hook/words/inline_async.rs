#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_hook(inline)]
async fn watch(event: &PreToolCall<'_>) {}

fn main() {}
