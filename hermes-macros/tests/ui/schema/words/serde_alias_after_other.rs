#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_schema]
enum Side {
    /// Left
    #[serde(rename = "l", bound(serialize = ""), alias = "L")]
    Left,
}

fn main() {}
