//! `cargo xtask demo`: what the product does, from a clean clone, in one command.

use std::path::Path;

use anyhow::{Result, bail, ensure};
use serde_json::{Value, json};

use crate::hermes::Hermes;
use crate::program::Program;
use crate::workspace::{HOST, Workspace};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Ask no model, even if one is configured
    #[arg(long)]
    no_model: bool,
}

/// Variables that say where a model is.
const PROVIDER_VARIABLES: &[&str] = &["HERMES_BASE_URL", "OPENAI_API_KEY", "OPENROUTER_API_KEY"];

pub(crate) fn run(options: &Options) -> Result<()> {
    let workspace = Workspace::load()?;
    heading("Build the host with one plugin (a dev build: the quickest way to a first answer)");
    // Not release: optimising takes several times as long and shows nothing more. Not the whole
    // workspace either: the host is all that is run.
    let words = format!("build -p {HOST} --features plugin-calculator");
    Program::cargo(&workspace.root, &words).run()?;
    let hermes = Hermes::with_users_home(&workspace)?;
    println!("\nBelow, `hermes` is target/debug/hermes.");
    if hermes.has_empty_home() {
        println!("HERMES_HOME is an empty temporary folder.");
    }

    heading("The plugin's tools are there, though no code names them");
    let list = show(&hermes, &["tools", "list"], 0)?;
    for tool in ["calculate", "unit_convert"] {
        ensure!(list.contains(tool), "the list lacks `{tool}`");
    }
    show(&hermes, &["tools", "show", "calculate"], 0)?;

    heading("The schema comes from the function's types and comments");
    let schema = show(&hermes, &["tools", "schema", "calculate"], 0)?;
    ensure!(
        schema.contains("\"expression\""),
        "the schema lacks the parameter `expression`"
    );

    heading("A call");
    let answer = show(
        &hermes,
        &["tools", "call", "calculate", "expression=2**16"],
        0,
    )?;
    let answer: Value = serde_json::from_str(&answer)?;
    let expected = json!({"expression": "2**16", "result": 65536});
    ensure!(answer == expected, "the answer is {answer}, not {expected}");

    heading("A refused call: the error says what to send instead, the exit code is 1");
    let words = [
        "tools",
        "call",
        "unit_convert",
        "value=ten",
        "from_unit=km",
        "to_unit=mi",
    ];
    let answer: Value = serde_json::from_str(&show(&hermes, &words, 1)?)?;
    ensure!(answer["error"].is_string(), "the answer has no `error`");

    heading("The plugins in this binary");
    let list = show(&hermes, &["plugins", "list"], 0)?;
    ensure!(list.contains("calculator"), "the list lacks `calculator`");

    heading("A model calls the tool");
    if options.no_model {
        println!("Left out (--no-model).");
    } else if let Some(source) = provider(hermes.home()) {
        println!("The provider is configured by {source}.");
        let words = ["chat", "-q", "What's 2 to the power of 16?"];
        let answer = show(&hermes, &words, 0)?;
        if !answer
            .replace([',', '.', ' ', '\u{202f}'], "")
            .contains("65536")
        {
            println!("(The model's answer isn't 65536.)");
        }
    } else {
        println!(
            "No provider is configured. Set OPENAI_API_KEY, or HERMES_BASE_URL (and HERMES_MODEL) \
             for a server of your own, and run `cargo xtask demo` again."
        );
    }
    Ok(())
}

fn heading(text: &str) {
    println!("\n── {text}");
}

/// Runs and prints a command whose exit code must be `code`; returns its standard output.
fn show(hermes: &Hermes, words: &[&str], code: i32) -> Result<String> {
    let program = hermes.program().args(words.iter().copied());
    println!("$ {program}");
    let captured = program.capture()?;
    print!("{}", captured.stdout);
    print!("{}", captured.stderr);
    if captured.code != Some(code) {
        bail!("`{program}` ended with {:?}, not {code}", captured.code);
    }
    if code != 0 {
        println!("(exit code {code})");
    }
    Ok(captured.stdout)
}

/// Where a provider is configured; never what the setting is.
fn provider(home: &Path) -> Option<&'static str> {
    let is_set = |name: &&&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if let Some(name) = PROVIDER_VARIABLES.iter().find(is_set) {
        return Some(name);
    }
    home.join("config.yaml")
        .is_file()
        .then_some("config.yaml in HERMES_HOME")
}
