#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

struct Client;

/// Does it.
#[hermes_tool]
async fn work(client: &Client) {}

fn main() {}
