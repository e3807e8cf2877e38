#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

async fn later() {}

#[hermes_hook]
async fn watch(event: &PreToolCall<'_>) {
    let shared = std::rc::Rc::new(event.tool_name);
    later().await;
    drop(shared);
}

fn main() {}
