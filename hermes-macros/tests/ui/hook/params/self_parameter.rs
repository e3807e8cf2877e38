#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

struct Hooks;

impl Hooks {
    #[hermes_hook]
    fn watch(&self, event: &PreToolCall<'_>) {}
}

fn main() {}
