#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

struct Login;

#[hermes_hook]
fn watch(event: &Login) -> Verdict {
    Verdict::Allow
}

fn main() {}
