#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_state]
struct Log(Vec<u8>);

fn main() {}
