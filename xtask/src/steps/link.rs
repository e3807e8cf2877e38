//! A plugin is there when its feature is on and not otherwise, in every profile; two plugins with a
//! tool of one name must not link, and the error must lead to both.
//!
//! The two plugins and a program that links them are `tests/fixtures/clash`, a workspace outside
//! ours: ours must build. Its outputs go to `target/clash`, so a second run is quick.
//!
//! What is asserted is what rustc 1.95 and its own linker, lld, print on Linux. Only the lines of
//! the duplicate itself are looked at: the command line above them names every crate anyway.

use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};

use super::{Context, Outcome};
use crate::program::Program;

/// The symbol that the two tools share.
const SYMBOL: &str = "hermes_duplicate_tool__clash__rename_or_mark_override";

struct Case {
    profile: &'static str,
    words: &'static [&'static str],
    /// What the lines of the duplicate must hold beside the symbol.
    names: &'static [&'static str],
    why: &'static str,
}

/// Features of the program, and lines that it then prints; none if it prints nothing.
const CONTROLS: &[(&str, &[&str])] = &[
    ("", &[]),
    ("a", &["hermes_plugin_clash_a clash"]),
    (
        "calculator",
        &[
            "hermes_plugin_calculator calculate",
            "hermes_plugin_calculator unit_convert",
        ],
    ),
];

const CASES: &[Case] = &[
    Case {
        profile: "dev",
        words: &[],
        names: &["clash-a/src/lib.rs:", "clash-b/src/lib.rs:"],
        // The mark's debug information holds the place of the macro call, and lld looks it up.
        why: "debug information tells the linker both places",
    },
    Case {
        profile: "release",
        words: &["--release"],
        names: &["hermes_plugin_clash_a", "hermes_plugin_clash_b"],
        // Object files are named after their crate, and so is the archive each came from.
        why: "without debug information the object files' names are left, and they hold the crates'",
    },
    Case {
        profile: "fat LTO",
        words: &["--release", "--config", "profile.release.lto=\"fat\""],
        names: &[],
        // rustc merges the crates' bitcode itself and fails before there is anything to link;
        // LLVM tells the symbol and the second module at best.
        why: "LLVM knows the symbol alone",
    },
];

pub(super) fn run(context: &Context) -> Result<Outcome> {
    let root = &context.workspace.root;
    let fixture = root.join("tests/fixtures/clash");
    // Our lock file, so that the fixture gets our versions, with or without a network. Cargo drops
    // what it doesn't need of it and adds the fixture's own packages.
    std::fs::copy(root.join("Cargo.lock"), fixture.join("Cargo.lock"))
        .context("can't copy Cargo.lock to the fixture")?;

    for case in CASES {
        // First what must work: if one plugin alone doesn't link, the failure below proves nothing.
        // A plugin whose feature is off must not be there, one whose feature is on must.
        for (features, printed) in CONTROLS {
            let control = cargo(context, &fixture, "run --quiet").args(["--features", features]);
            let control = control.args(case.words.iter().copied());
            println!("$ {control}");
            let output = control.read()?;
            let holds = printed
                .iter()
                .all(|line| output.lines().any(|other| other == *line));
            ensure!(
                holds && output.is_empty() == printed.is_empty(),
                "{}: with features `{features}` the program printed {output:?}",
                case.profile
            );
        }
        let program = cargo(context, &fixture, "build").args(["--features", "a,b"]);
        let program = program.args(case.words.iter().copied());
        println!("$ {program}");
        let captured = program.capture()?;
        if captured.code == Some(0) {
            bail!(
                "{}: two tools called `clash` link without an error",
                case.profile
            );
        }
        let Some(report) = duplicate(&captured.stderr) else {
            println!("{}", captured.stderr);
            bail!(
                "{}: the build fails, but not for the duplicate",
                case.profile
            );
        };
        println!("{}: as it should, this fails:\n{report}", case.profile);
        for name in case.names {
            ensure!(
                report.contains(name),
                "{}: no `{name}`, though {}",
                case.profile,
                case.why
            );
        }
    }
    // A plugin whose tests contain a host that contains the plugin: it is linked twice, its items
    // count once, and its tools are no duplicates of themselves.
    let fixture = root.join("tests/fixtures/dev_host");
    std::fs::copy(root.join("Cargo.lock"), fixture.join("Cargo.lock"))
        .context("can't copy Cargo.lock to the fixture")?;
    // The workspace's own target folder: the host is built there already.
    let tests = Program::cargo(&fixture, "test --quiet")
        .quiet_env("CARGO_TARGET_DIR", &context.workspace.target);
    println!("$ {tests}");
    tests.run()?;
    Ok(Outcome::Passed)
}

/// Its own target folder: the fixture's packages and profiles aren't the workspace's.
fn cargo(context: &Context, fixture: &Path, words: &str) -> Program {
    Program::cargo(fixture, words)
        .quiet_env("CARGO_TARGET_DIR", context.workspace.target.join("clash"))
        .quiet_env("CARGO_TERM_COLOR", "never")
}

/// The line that names the duplicate symbol, and what the linker says about its two places.
fn duplicate(stderr: &str) -> Option<String> {
    // lld: `duplicate symbol: X`, then lines with `>>>`; LLVM: `globals named 'X': … defined!`.
    let says_so = |line: &&str| {
        line.contains(SYMBOL)
            && (line.contains("duplicate symbol") || line.contains("multiply defined"))
    };
    let mut lines = stderr.lines().skip_while(|line| !says_so(line));
    let mut report = lines.next()?.trim_start().to_owned();
    for line in lines
        .map(str::trim_start)
        .take_while(|line| line.starts_with(">>>"))
    {
        report.push('\n');
        report.push_str(line);
    }
    Some(report)
}

#[cfg(test)]
mod tests;
