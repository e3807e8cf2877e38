#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_state]
const CLIENT: u8 = 5;

fn main() {}
