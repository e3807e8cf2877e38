#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_state]
#[hermes_state]
#[derive(Default)]
struct Log;

fn main() {}
