//! `cargo deny`, an outside program: licences, bans, sources. Not advisories, which need a network.

use anyhow::Result;

use super::{Context, Outcome};
use crate::program::Program;

pub(super) fn run(context: &Context) -> Result<Outcome> {
    let root = &context.workspace.root;
    let found = Program::cargo(root, "deny --version").capture()?;
    if found.code != Some(0) {
        let how = "cargo-deny is missing: `cargo install cargo-deny --locked`, or let `.ci/run` \
                   fetch the version it pins";
        return Ok(Outcome::Skipped(how.to_owned()));
    }
    // Without the word, a root with a package of its own means that package alone.
    super::cargo(context, "deny --workspace check bans licenses sources")
}
