#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

#[hermes_state]
#[derive(Default)]
struct Log<T>(Vec<T>);

fn main() {}
