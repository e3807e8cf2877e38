//! How many packages the product is made of.

use std::collections::BTreeSet;

use anyhow::{Result, bail};

use super::{Context, Outcome};
use crate::program::Program;

pub(super) fn run(context: &Context) -> Result<Outcome> {
    // What ends in the binary and what is compiled to make it; tests' own packages don't count.
    let host = packages(
        context,
        "-p hermes-agent --features plugin-calculator -e normal,build",
    )?;
    at_most("the host with the calculator", host.len(), 200)?;

    let core = packages(context, "-p hermes-agent-core -e normal")?;
    at_most("hermes-agent-core", core.len(), 25)?;
    // Every plugin pays for what core depends on, and an engine there would tie plugins to it.
    for banned in ["tokio", "reqwest", "hyper", "rusqlite", "rmcp", "clap"] {
        if core.contains(banned) {
            bail!("hermes-agent-core depends on `{banned}`; it belongs into hermes-agent-runtime");
        }
    }
    Ok(Outcome::Passed)
}

/// The names and versions of the packages in a tree; of a name with one version, the name alone.
fn packages(context: &Context, words: &str) -> Result<BTreeSet<String>> {
    let program = Program::cargo(&context.workspace.root, "tree --prefix none")
        .args(words.split_whitespace())
        .args(["--format", "{p}"]);
    println!("$ {program}");
    Ok(distinct(&program.read()?))
}

/// Lines are `name v1.2.3`, then perhaps `(proc-macro)`, a path or `(*)`.
fn distinct(tree: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let pairs: BTreeSet<(&str, &str)> = tree
        .lines()
        .filter_map(|line| line.split_once(" v"))
        .map(|(name, rest)| (name, rest.split(' ').next().unwrap_or(rest)))
        .collect();
    for (name, version) in pairs {
        if !names.insert(name.to_owned()) {
            names.insert(format!("{name} {version}"));
        }
    }
    names
}

fn at_most(what: &str, count: usize, limit: usize) -> Result<()> {
    println!("{what}: {count} packages, itself included (at most {limit})");
    if count > limit {
        bail!("{what} has {count} packages, {limit} are allowed");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
