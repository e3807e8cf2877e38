//! `cargo xtask e2e`: the built host with a real model in a real server on this machine.
//!
//! What is checked is the flow: a model is pulled, started once, called, its tool calls are valid and
//! answered, and nothing of it is left behind. How clever a model of 100 MB is, is printed, not judged.

mod leftovers;
mod questions;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use crate::hermes::Hermes;
use crate::program::Program;
use crate::workspace::{HOST, Workspace};
use questions::Question;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The local model, or the path of a .gguf file; what `hermes model pull` gets if left out
    #[arg(long)]
    model: Option<String>,
    /// Ask twenty more questions, once with the tools' examples before them and once without
    #[arg(long)]
    score: bool,
    /// How often a process that asks is killed, to see that nothing of it is left
    #[arg(long, value_name = "N", default_value_t = 3)]
    kills: u32,
}

impl Options {
    /// What the gate does.
    pub(crate) const fn usual() -> Self {
        Self {
            model: None,
            score: false,
            kills: 3,
        }
    }
}

/// How it ended.
pub(crate) enum Ended {
    Passed,
    /// Nothing could be pulled.
    NoModel(String),
}

pub(crate) fn run(options: &Options) -> Result<()> {
    match check(options)? {
        Ended::Passed => println!("\nall as it should be"),
        Ended::NoModel(why) => println!("\nskipped: {why}"),
    }
    Ok(())
}

/// All of it; builds what it runs.
pub(crate) fn check(options: &Options) -> Result<Ended> {
    let model = options.model.as_deref();
    let workspace = Workspace::load()?;
    let words = format!("build -p {HOST} --features plugin-calculator");
    Program::cargo(&workspace.root, &words).run()?;
    let hermes = Hermes::with_empty_home(&workspace)?;

    let mut pull = hermes.program().args(["model", "pull", "--build"]);
    match model {
        // Weights of one's own need the engine only.
        Some(model) if is_file(model) => pull = pull.arg("--engine"),
        Some(model) => pull = pull.arg(model),
        None => {}
    }
    let start = Instant::now();
    // Whether there is a network, a compiler and an engine for this processor is no fault of the code; that a
    // pull works where there are is for the tests of the host.
    if let Err(error) = pull.run() {
        return Ok(Ended::NoModel(format!(
            "nothing could be pulled in {:.0?}: {error}",
            start.elapsed()
        )));
    }
    println!("pulled in {:.1?}", start.elapsed());

    let mut test = hermes.program().args(["model", "test"]);
    if let Some(model) = model {
        test = test.arg(model);
    }
    test.run()?;

    let asked = ask_all(&hermes, model, questions::FIRST, true)?;
    let valid = asked.iter().filter(|asked| asked.calls > 0).count();
    ensure!(
        valid * 2 >= asked.len(),
        "the model called a tool for {valid} of {} questions only",
        asked.len()
    );
    if options.score {
        ask_all(&hermes, model, questions::MORE, true)?;
        ask_all(&hermes, model, questions::MORE, false)?;
    }
    leftovers::check(&hermes, options.kills)?;
    Ok(Ended::Passed)
}

fn is_file(model: &str) -> bool {
    let extension = Path::new(model).extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("gguf"))
}

struct Asked {
    /// Calls that reached a tool with arguments it could read.
    calls: usize,
}

/// Asks each question in a process of its own and prints a row for it.
fn ask_all(
    hermes: &Hermes,
    model: Option<&str>,
    questions: &str,
    with_examples: bool,
) -> Result<Vec<Asked>> {
    let heading = if with_examples {
        "with the tools' examples"
    } else {
        "without examples"
    };
    println!("\n{heading}\n");
    println!("| question | calls | right tool | right result | in the answer | seconds |");
    println!("|---|---|---|---|---|---|");
    let mut all = Vec::new();
    let (mut tools, mut results, mut answers, mut time) = (0, 0, 0, Duration::ZERO);
    for question in Question::all(questions)? {
        let mut program = hermes
            .program()
            .args(["chat", "--provider", "local", "--json", "-Q", "-q"])
            .arg(&question.ask);
        if let Some(model) = model {
            program = program.args(["--model", model]);
        }
        if !with_examples {
            program = program.args(["--examples", "0"]);
        }
        let start = Instant::now();
        let captured = program.capture()?;
        let took = start.elapsed();
        let said: Value = serde_json::from_str(&captured.stdout).with_context(|| {
            format!(
                "`{program}` ended with {:?} and no JSON:\n{}",
                captured.code, captured.stderr
            )
        })?;
        let marks = question.judge(&said)?;
        let tick = |is: bool| if is { "✓" } else { "" };
        println!(
            "| {} | {} | {} | {} | {} | {:.1} |",
            question.ask,
            marks.calls,
            tick(marks.tool),
            tick(marks.result),
            tick(marks.answer),
            took.as_secs_f64()
        );
        tools += usize::from(marks.tool);
        results += usize::from(marks.result);
        answers += usize::from(marks.answer);
        time += took;
        all.push(Asked { calls: marks.valid });
    }
    if all.is_empty() {
        bail!("there are no questions");
    }
    println!(
        "\n{heading}: of {} questions, right tool {tools}, right result {results}, in the answer {answers}; {:.1} s each",
        all.len(),
        time.as_secs_f64() / f64::from(u32::try_from(all.len())?)
    );
    Ok(all)
}
