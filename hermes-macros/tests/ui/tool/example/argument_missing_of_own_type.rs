#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_schema]
struct Place {
    /// A city
    city: String,
}

type Days = Option<u8>;

/// Says what the weather will be.
#[hermes_tool(example(ask = "Will it rain?", args = {}))]
fn forecast(
    /// A place
    place: Place,
    /// How many days
    days: Days,
    /// How exactly
    #[arg(default = 1)]
    digits: u8,
) {}

fn main() {}
