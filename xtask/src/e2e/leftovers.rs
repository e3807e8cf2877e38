//! What is left of a local model when the process that asks it is killed: nothing, after five seconds.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};

use crate::hermes::Hermes;

/// How long engine and keeper have to end.
const PATIENCE: Duration = Duration::from_secs(5);

/// Kills a process that asks, `count` times, at different moments from its start to its answer.
pub(super) fn check(hermes: &Hermes, count: u32) -> Result<()> {
    // The engine of the questions before may still wait for another.
    stop(hermes)?;
    let mut slowest = Duration::ZERO;
    for number in 0..count {
        let mut child = hermes
            .program()
            .args(["chat", "--provider", "local", "-Q", "-q"])
            .arg("Tell me a very long story about a dragon, with many details.")
            .start()?;
        // From before the keeper starts to the middle of an answer.
        thread::sleep(Duration::from_millis(u64::from(number) * 150 + 5));
        child.kill()?;
        child.wait()?;
        let since = Instant::now();
        while left(hermes)? > 0 {
            ensure!(
                since.elapsed() < PATIENCE,
                "{} processes are left {PATIENCE:?} after the {number}th kill",
                left(hermes)?
            );
            thread::sleep(Duration::from_millis(20));
        }
        slowest = slowest.max(since.elapsed());
    }
    println!(
        "\nkilled {count} times in the middle of a question: nothing left after {slowest:.1?} at most"
    );
    Ok(())
}

/// Ends the engine and waits for that.
fn stop(hermes: &Hermes) -> Result<()> {
    // A process without a goodbye takes it along.
    let mut child = hermes
        .program()
        .args([
            "chat",
            "--provider",
            "local",
            "-Q",
            "-q",
            "Tell me a very long story.",
        ])
        .start()?;
    thread::sleep(Duration::from_secs(1));
    child.kill()?;
    child.wait()?;
    let since = Instant::now();
    while left(hermes)? > 0 && since.elapsed() < PATIENCE {
        thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// Keepers that answer, and on Linux the engines that have the weights in their command line.
fn left(hermes: &Hermes) -> Result<usize> {
    let list = hermes
        .program()
        .args(["model", "list", "--json"])
        .read_json()?;
    let models = list["models"]
        .as_array()
        .context("`model list` names no models")?;
    let keepers = models
        .iter()
        .filter(|model| model["keeper"].is_u64())
        .count();
    let paths: Vec<&str> = models
        .iter()
        .filter_map(|model| model["path"].as_str())
        .collect();
    Ok(keepers + engines(&paths))
}

fn engines(weights: &[&str]) -> usize {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return 0;
    };
    processes
        .filter_map(Result::ok)
        .filter_map(|process| std::fs::read(process.path().join("cmdline")).ok())
        .filter(|line| {
            let line = String::from_utf8_lossy(line);
            weights.iter().any(|path| line.contains(path))
        })
        .count()
}
