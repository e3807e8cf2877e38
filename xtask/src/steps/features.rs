//! Feature sets: what a workspace build hides, because there one member's features leak into another.

use anyhow::Result;

use super::{Context, Outcome};
use crate::program::Program;
use crate::workspace::HOST;

pub(super) fn run(context: &Context) -> Result<Outcome> {
    let workspace = &context.workspace;
    let check = |words: &str| Program::cargo(&workspace.root, &format!("check {words}")).run();

    // Dependencies have the same features in all of these, so only the host is checked anew.
    check(&format!("-p {HOST}"))?;
    for feature in workspace.plugin_features()? {
        check(&format!("-p {HOST} --features {feature}"))?;
    }
    check(&format!("-p {HOST} --features all-plugins"))?;

    // Core, macros, runtime and plugins as others get them: alone, with nobody's features but
    // their own. The tests' turn comes second: dev-dependencies turn on more.
    for package in &workspace.packages {
        if package.has_library && package.name != HOST {
            check(&format!("-p {}", package.name))?;
            if package.name.starts_with("hermes-plugin-") {
                check(&format!("-p {} --tests", package.name))?;
            }
        }
    }
    Ok(Outcome::Passed)
}
