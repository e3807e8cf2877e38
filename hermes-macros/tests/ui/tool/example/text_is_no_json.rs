#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Says what the weather will be.
#[hermes_tool(example(ask = "Will it rain in London?", args = r#"{"city": London}"#))]
fn forecast(
    /// A city
    city: String,
    /// How many days
    days: Option<u8>,
) {}

fn main() {}
