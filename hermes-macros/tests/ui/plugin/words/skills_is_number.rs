hermes_core::plugin! { skills = 5 }

fn main() {}
