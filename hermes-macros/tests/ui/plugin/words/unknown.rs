hermes_core::plugin! { skils = "skills" }

fn main() {}
