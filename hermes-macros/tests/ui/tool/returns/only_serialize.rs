use hermes_core::prelude::*;

hermes_core::plugin! {}

/// Does it.
#[hermes_tool]
fn work() -> std::time::SystemTime {
    std::time::SystemTime::now()
}

fn main() {}
