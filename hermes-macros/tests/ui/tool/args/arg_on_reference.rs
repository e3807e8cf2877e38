#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

struct Client;

/// Does it.
#[hermes_tool]
fn work(
    /// A thing
    #[arg]
    thing: &Client,
) {}

fn main() {}
