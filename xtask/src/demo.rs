//! `cargo xtask demo`: what the product does, from a clean clone, in one command.

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
        return Ok(());
    }
    let doctor = hermes.program().args(["doctor", "--json"]).capture()?;
    let doctor: Value = serde_json::from_str(&doctor.stdout)?;
    let is_local = |provider: &str| provider.starts_with("local,");
    match doctor["provider"].as_str() {
        Some(provider) if !is_local(provider) => {
            println!("Configured is {provider}.");
            return ask(&hermes, &["chat", "-q", QUESTION]);
        }
        Some(_) => {}
        None => println!(
            "Nobody is configured: {}.",
            doctor["provider_error"].as_str().unwrap_or("?")
        ),
    }
    println!(
        "So a small model is got for this machine, unless it is there; Ctrl-C or `--no-model` leaves \
         that out."
    );
    // With its own terminal: it says what comes from where and how large it is, then shows a bar.
    if let Err(error) = hermes.program().args(["model", "pull"]).run() {
        println!(
            "No model and engine could be had ({error}). `hermes model pull --build` builds an engine \
             here, in ten minutes. Or set OPENAI_API_KEY and HERMES_MODEL, or HERMES_BASE_URL and \
             HERMES_MODEL for a server of your own, and run `cargo xtask demo` again."
        );
        return Ok(());
    }
    // A model this small may answer nothing at all, which is no fault of the host's.
    let program = hermes
        .program()
        .args(["chat", "--provider", "local", "-q", QUESTION]);
    println!("$ {program}");
    let captured = program.capture()?;
    print!("{}{}", captured.stderr, captured.stdout);
    remark(&captured.stdout);
    Ok(())
}

const QUESTION: &str = "What's 2 to the power of 16?";

/// Asks; a wrong answer is the model's fault and is said, not judged.
fn ask(hermes: &Hermes, words: &[&str]) -> Result<()> {
    remark(&show(hermes, words, 0)?);
    Ok(())
}

fn remark(answer: &str) {
    if !answer
        .replace([',', '.', ' ', '\u{202f}'], "")
        .contains("65536")
    {
        println!("(The model's answer isn't 65536.)");
    }
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
