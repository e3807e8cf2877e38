hermes_core::plugin! { colour = "red" }

fn main() {}
