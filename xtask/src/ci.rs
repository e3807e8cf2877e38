//! `cargo xtask ci`: every step the gate runs, in the order in which they are cheapest to fail.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::steps::{self, Outcome, STEPS, Step};
use crate::workspace::Workspace;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run the steps after a failed one too
    #[arg(long)]
    keep_going: bool,
    /// Run these steps only
    #[arg(long, value_name = "STEP", value_delimiter = ',')]
    only: Vec<String>,
    /// List the steps and what each is for
    #[arg(long)]
    list: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    if options.list {
        for step in STEPS {
            println!("{:10} {}", step.name, step.about);
        }
        return Ok(());
    }
    let steps = select(&options.only)?;
    let context = steps::Context {
        workspace: Workspace::load()?,
        keep_going: options.keep_going,
        in_ci: std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false"),
    };

    let mut rows = Vec::new();
    for step in steps {
        println!("\n── {}: {}", step.name, step.about);
        let start = Instant::now();
        let end = End::of((step.run)(&context), context.in_ci);
        match &end {
            End::Passed => {}
            End::Skipped(why) => println!("skipped: {why}"),
            End::Failed(why) => println!("\n{} failed: {why}\n  hint: {}", step.name, step.hint),
        }
        let failed = matches!(end, End::Failed(_));
        rows.push((step.name, end, start.elapsed()));
        if failed && !context.keep_going {
            break;
        }
    }
    summarise(&rows)
}

fn select(only: &[String]) -> Result<Vec<&'static Step>> {
    for name in only {
        if !STEPS.iter().any(|step| step.name == name) {
            let names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
            bail!(
                "no step is called `{name}`; the steps are {}",
                names.join(", ")
            );
        }
    }
    let wanted = |step: &&Step| only.is_empty() || only.iter().any(|name| name == step.name);
    Ok(STEPS.iter().filter(wanted).collect())
}

enum End {
    Passed,
    Skipped(String),
    Failed(String),
}

impl End {
    /// A step that couldn't run is no excuse for the gate: there it counts as a failure.
    fn of(result: Result<Outcome>, in_ci: bool) -> Self {
        match result {
            Ok(Outcome::Passed) => Self::Passed,
            Ok(Outcome::Skipped(why)) if in_ci => Self::Failed(format!("{why} (CI is set)")),
            Ok(Outcome::Skipped(why) | Outcome::OutOfReach(why)) => Self::Skipped(why),
            Err(error) => Self::Failed(format!("{error:#}")),
        }
    }
}

fn summarise(rows: &[(&str, End, Duration)]) -> Result<()> {
    println!("\n{:10} {:8} {:>8}", "step", "result", "seconds");
    for (name, end, time) in rows {
        let word = match end {
            End::Passed => "ok",
            End::Skipped(_) => "skipped",
            End::Failed(_) => "FAILED",
        };
        println!("{name:10} {word:8} {:8.1}", time.as_secs_f64());
    }
    let total: Duration = rows.iter().map(|(_, _, time)| *time).sum();
    println!("{:10} {:8} {:8.1}", "total", "", total.as_secs_f64());

    let failed: Vec<_> = rows
        .iter()
        .filter_map(|(name, end, _)| matches!(end, End::Failed(_)).then_some(*name))
        .collect();
    if !failed.is_empty() {
        let names = failed.join(",");
        bail!("failed: {names}; again with `cargo xtask ci --only {names}`");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
