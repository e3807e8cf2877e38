hermes_core::plugin! { name = "Weather", skils = "skills" }

fn main() {}
