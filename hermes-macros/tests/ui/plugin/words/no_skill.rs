hermes_core::plugin! { skills = "." }

fn main() {}
