//! A tool in a binary of one's own.

use hermes_core::prelude::*;
use hermes_core::{Item, ToolItem};

hermes_core::plugin! { name = "whole" }

/// Adds two numbers.
#[hermes_tool(read_only, idempotent, inline)]
pub fn add(
    /// The first number
    a: i64,
    /// The second number
    #[arg(default = 1)]
    b: i64,
) -> i64 {
    a + b
}

fn main() {
    assert_eq!(add(1, 2), 3);
    assert_eq!(AddTool::def().name(), "add");
    let items = hermes_core::__private::inventory::iter::<Item>;
    assert_eq!(items.into_iter().count(), 1);
}
