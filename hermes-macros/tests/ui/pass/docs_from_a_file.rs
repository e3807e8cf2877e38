//! A description may come from a macro.

use hermes_core::ToolItem;
use hermes_core::prelude::*;

hermes_core::plugin! {}

#[doc = concat!("Says ", "it.")]
#[hermes_tool]
fn say(
    #[doc = concat!("What ", "to say")] what: String,
) -> String {
    what
}

fn main() {
    assert_eq!(SayTool::def().description(), "Says it.\n");
}
