#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

async fn later() {}

/// Does it.
#[hermes_tool]
async fn work() {
    let shared = std::rc::Rc::new(5);
    later().await;
    drop(shared);
}

fn main() {}
