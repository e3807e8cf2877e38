#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

struct Client;

#[hermes_hook]
fn watch(event: &PreToolCall<'_>, client: &Client) {}

fn main() {}
