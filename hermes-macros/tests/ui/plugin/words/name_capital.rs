hermes_core::plugin! { name = "Weather" }

fn main() {}
