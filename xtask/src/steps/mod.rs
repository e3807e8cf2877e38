//! The steps of `cargo xtask ci`: one table, one file per step that is more than a command.

mod deny;
mod e2e;
mod features;
mod link;
mod tidy;
mod tools;
mod weight;

use anyhow::Result;

use crate::program::Program;
use crate::workspace::Workspace;

/// What every step may look at.
pub(crate) struct Context {
    pub(crate) workspace: Workspace,
    pub(crate) keep_going: bool,
    pub(crate) in_ci: bool,
}

pub(crate) enum Outcome {
    Passed,
    /// Something outside the project is missing; the text says what and how to install it.
    Skipped(String),
    /// The network doesn't give what the step needs; nobody can install that, so the gate lets it be.
    OutOfReach(String),
}

pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// What to do when it fails.
    pub(crate) hint: &'static str,
    pub(crate) run: fn(&Context) -> Result<Outcome>,
}

/// In the order they run: first what needs no compiler, then one feature set for the whole
/// workspace (clippy, tests, tools, docs), then the sets that recompile parts of it.
pub(crate) const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        about: "the code is formatted",
        hint: "run `cargo fmt --all`",
        run: |context| cargo(context, "fmt --all --check"),
    },
    Step {
        name: "tidy",
        about: "names, file sizes and leftovers",
        hint: "each line above names the file and the rule",
        run: tidy::run,
    },
    Step {
        name: "deny",
        about: "licences, banned crates and sources of dependencies",
        hint: "use another crate, or add an exception with a reason and a date to deny.toml",
        run: deny::run,
    },
    Step {
        name: "weight",
        about: "numbers of packages, and what core must not pull in",
        hint: "find the new package with `cargo tree -i NAME`; turn off its features or do without",
        run: weight::run,
    },
    Step {
        name: "clippy",
        about: "no warning in any target",
        hint: "fix it, or write `#[expect(lint, reason = \"…\")]` at the place",
        run: |context| {
            let words = "clippy --workspace --all-targets --features all-plugins -- -D warnings";
            cargo(context, words)
        },
    },
    Step {
        name: "test",
        about: "unit, UI, integration and doc tests of all crates",
        hint: "run the one test with `cargo test -p PACKAGE NAME`; changed snapshots and UI \
               messages: see CONTRIBUTING.md",
        run: test,
    },
    Step {
        name: "tools",
        about: "every compiled tool is described and has a test that names it",
        hint: "each line above names the tool and what it lacks",
        run: tools::run,
    },
    Step {
        name: "docs",
        about: "the documentation builds without a warning",
        hint: "see it with `cargo doc --no-deps --open`",
        run: |context| {
            let words = "doc --no-deps --workspace --features all-plugins";
            Program::cargo(&context.workspace.root, words)
                .env("RUSTDOCFLAGS", "-D warnings")
                .run()?;
            Ok(Outcome::Passed)
        },
    },
    Step {
        name: "features",
        about: "the host with no plugin, each alone, all; each library without the host",
        hint: "run the last command above: a feature of a dependency is missing where it is used",
        run: features::run,
    },
    Step {
        name: "link",
        about: "two plugins with a tool of one name don't link",
        hint: "the mark beside each registration (hermes-macros, tool expansion) is lost or \
               changed its name; see the linker's words above",
        run: link::run,
    },
    Step {
        name: "e2e",
        about: "a real model on this machine calls the tools",
        hint: "run `cargo xtask e2e`; the server's log is in `logs/` of the home it names",
        run: e2e::run,
    },
];

fn cargo(context: &Context, words: &str) -> Result<Outcome> {
    Program::cargo(&context.workspace.root, words).run()?;
    Ok(Outcome::Passed)
}

/// The command of the test step; `tools` uses it again to find the same host binary.
fn test_command(context: &Context) -> Program {
    Program::cargo(
        &context.workspace.root,
        "test --workspace --features all-plugins",
    )
}

fn test(context: &Context) -> Result<Outcome> {
    let mut program = test_command(context);
    if context.keep_going {
        program = program.arg("--no-fail-fast");
    }
    program.run()?;
    Ok(Outcome::Passed)
}
