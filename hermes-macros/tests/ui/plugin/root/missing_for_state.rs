#![allow(unused)]

use hermes_core::prelude::*;

#[hermes_state]
#[derive(Default)]
struct Log;

fn main() {}
