//! Empty: Cargo asks for a build script beside the `links` key.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
