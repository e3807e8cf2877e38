hermes_core::plugin! { crate = "hermes_core" }

fn main() {}
