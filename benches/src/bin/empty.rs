//! The least a Rust program can be, to compare whole processes with.

fn main() {}
