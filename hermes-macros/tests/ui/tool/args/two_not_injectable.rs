#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

struct Client;
struct Other;

/// Does it.
#[hermes_tool]
fn work(client: &Client, other: &Other) {}

fn main() {}
