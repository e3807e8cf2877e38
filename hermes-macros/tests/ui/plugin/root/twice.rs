#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

hermes_core::plugin! {}

fn main() {}
