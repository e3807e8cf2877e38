#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

struct Client;

/// Shows it.
#[hermes_command]
fn status(raw: &str, client: &Client) {}

fn main() {}
