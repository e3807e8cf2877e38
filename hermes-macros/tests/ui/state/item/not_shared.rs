#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_state]
#[derive(Default)]
struct Log(std::cell::RefCell<Vec<u8>>);

fn main() {}
