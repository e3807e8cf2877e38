#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

async fn later() {}

/// Shows it.
#[hermes_command]
async fn status() {
    let shared = std::rc::Rc::new(5);
    later().await;
    drop(shared);
}

fn main() {}
