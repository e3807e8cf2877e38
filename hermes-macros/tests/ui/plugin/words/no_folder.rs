hermes_core::plugin! { skills = "nothing" }

fn main() {}
