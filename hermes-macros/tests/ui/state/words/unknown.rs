#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_state(eager)]
#[derive(Default)]
struct Log;

fn main() {}
