#![allow(unused)]

use hermes_core::prelude::*;

hermes_core::plugin! {}

struct Tools;

impl Tools {
    /// Does it.
    #[hermes_tool]
    fn work(&self) {}
}

fn main() {}
