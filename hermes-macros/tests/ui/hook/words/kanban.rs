#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_hook(kanban_task_created)]
fn watch(event: &PreToolCall<'_>) {}

fn main() {}
