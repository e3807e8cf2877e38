#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_command]
struct Status;

fn main() {}
