//! Links the plugins: every enabled feature `plugin-x` becomes `extern crate hermes_plugin_x as _`.
//!
//! Without such a line the linker never sees the crate of an optional dependency, and nothing in it
//! registers. The naming rule alone decides; no list in code names a plugin.
#![expect(
    clippy::disallowed_methods,
    reason = "a build script is told its features and folder by the environment"
)]

use std::fmt::Write as _;
use std::path::Path;
use std::{env, error, fs};

fn main() -> Result<(), Box<dyn error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let mut plugins: Vec<String> = env::vars_os()
        .filter_map(|(name, _)| name.into_string().ok())
        .filter_map(|name| {
            name.strip_prefix("CARGO_FEATURE_PLUGIN_")
                .map(str::to_lowercase)
        })
        .collect();
    plugins.sort();
    let mut source = String::from("// Made by build.rs from the enabled features.\n");
    for plugin in &plugins {
        let name = plugin.replace('_', "-");
        writeln!(
            source,
            "extern crate hermes_plugin_{plugin} as _; // if not found, Cargo.toml needs: plugin-{name} = [\"dep:hermes-plugin-{name}\"]"
        )?;
    }
    let crates: Vec<String> = plugins
        .iter()
        .map(|plugin| format!("\"hermes_plugin_{plugin}\""))
        .collect();
    writeln!(
        source,
        "/// The crates that the enabled features promise.\npub(crate) const CRATES: &[&str] = &[{}];",
        crates.join(", ")
    )?;
    let folder = env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?;
    fs::write(Path::new(&folder).join("plugins.rs"), source)?;
    Ok(())
}
