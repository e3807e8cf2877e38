#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool(toolst = "math")]
fn work() -> u8 {
    1
}

fn uses<T: hermes_core::ToolItem>() -> u8 {
    let _ = T::def();
    work()
}

fn main() {
    let _: u8 = uses::<WorkTool>();
}
