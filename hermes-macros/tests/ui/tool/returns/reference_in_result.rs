use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool]
fn work(
    /// A thing
    thing: &str,
) -> Result<&str, ToolError> { Ok(thing) }

fn main() {}
