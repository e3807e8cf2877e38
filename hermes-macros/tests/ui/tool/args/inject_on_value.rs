#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

struct Client;

/// Does it.
#[hermes_tool]
fn work(#[inject] thing: Client) {}

fn main() {}
