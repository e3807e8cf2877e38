//! Why an engine ended, in words that help.

use super::guard::CANT_RUN;
use super::launch::Launch;
use crate::local::catalog::MODELS;
use std::fs;
use std::process::ExitStatus;

/// Why it ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Death {
    /// Somebody took the port before; another is worth a try.
    PortTaken,
    /// Anything else, as it is told.
    Other(String),
}

/// Words of the engine's log and what they mean.
const WORDS: &[(&[&str], Cause)] = &[
    (
        &["couldn't bind", "failed to bind", "address already in use"],
        Cause::Port,
    ),
    (
        &[
            "failed to allocate",
            "unable to allocate",
            "out of memory",
            "insufficient memory",
            "failed to mlock",
            "cannot allocate memory",
            "bad_alloc",
            "failed to mmap",
            "mmap failed",
        ],
        Cause::Memory,
    ),
    (
        &["error while loading shared libraries", "library not loaded"],
        Cause::Library,
    ),
    (
        &["error: invalid argument", "unknown argument"],
        Cause::Argument,
    ),
    (
        &[
            "failed to load model",
            "error loading model",
            "failed to read magic",
            "invalid magic",
            "failed to read key-value pairs",
            "failed to read tensor",
            "unknown model architecture",
            "not within the file bounds",
            "is corrupted or incomplete",
            "failed to open gguf",
        ],
        Cause::Weights,
    ),
];

#[derive(Clone, Copy)]
enum Cause {
    Port,
    Memory,
    Library,
    Argument,
    Weights,
}

/// Judges by the status and what the engine wrote.
pub(super) fn of(status: ExitStatus, log: &str, launch: &Launch) -> Death {
    let program = launch.program.display();
    let see = format!("its log is `{}`", launch.log.display());
    if let Some(line) = log
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix(CANT_RUN))
    {
        return Death::Other(format!("the engine `{program}` can't be run: {line}"));
    }
    match signal(status) {
        Some(SIGILL) => {
            return Death::Other(format!(
                "the engine `{program}` was built for another processor; {}",
                other_engine(launch)
            ));
        }
        // The kernel's way when memory runs out. What the engine held is free again by now.
        Some(SIGKILL) if too_little_memory(launch).is_some() => {
            return Death::Other(out_of_memory(launch));
        }
        Some(SIGKILL) => {
            return Death::Other(format!(
                "the engine `{program}` was killed, by somebody or for want of memory; {see}"
            ));
        }
        _ => {}
    }
    let lower = log.to_lowercase();
    let found = WORDS
        .iter()
        .find(|(words, _)| words.iter().any(|word| lower.contains(word)));
    Death::Other(match found.map(|(_, cause)| *cause) {
        Some(Cause::Port) => return Death::PortTaken,
        Some(Cause::Memory) => out_of_memory(launch),
        Some(Cause::Library) => format!(
            "the engine `{program}` lacks a library: {}; {}",
            line_with(log, "librar"),
            other_engine(launch)
        ),
        Some(Cause::Argument) => format!(
            "the engine `{program}` is too old or too new: {}; {}",
            line_with(log, "argument"),
            other_engine(launch)
        ),
        Some(Cause::Weights) => format!(
            "the weights `{}` are damaged or of a kind that this engine doesn't know; {}; {see}",
            launch.weights.display(),
            other_weights(launch)
        ),
        None => {
            let last = log.lines().rev().find(|line| !line.trim().is_empty());
            let last = last.map_or_else(
                || "it said nothing".to_owned(),
                |line| format!("it said last: {}", cut(line)),
            );
            format!("the engine `{program}` ended with {status}; {last}; {see}")
        }
    })
}

/// How to get another engine. One on the search path goes before those that were pulled.
fn other_engine(launch: &Launch) -> &'static str {
    match launch.library_folder {
        None => "take it off the `PATH` and get a known one with `hermes model pull --engine`",
        Some(_) => {
            "get another with `hermes model remove --engine` and `hermes model pull --engine`"
        }
    }
}

fn other_weights(launch: &Launch) -> String {
    let name = &launch.alias;
    if MODELS.iter().any(|model| model.name == name) {
        format!("get them anew with `hermes model remove {name}` and `hermes model pull {name}`")
    } else {
        "get the file again from where it came, or use another model".to_owned()
    }
}

/// The weights alone need more than there is: starting would make the machine swap.
pub(super) fn too_little_memory(launch: &Launch) -> Option<String> {
    let weights = fs::metadata(&launch.weights).ok()?.len();
    // Half as much again is needed for what it works with.
    (available_memory()? < weights + weights / 2).then(|| out_of_memory(launch))
}

fn out_of_memory(launch: &Launch) -> String {
    let megabytes = |bytes: u64| bytes / 1_000_000;
    let weights = fs::metadata(&launch.weights).map_or(0, |metadata| metadata.len());
    let free = available_memory().map_or_else(String::new, |bytes| {
        format!(", and {} MB are free now", megabytes(bytes))
    });
    format!(
        "not enough memory for `{}`: its weights alone are {} MB{free}; close something, set a smaller `local.context`, or use a smaller model",
        launch.alias,
        megabytes(weights)
    )
}

/// What programs can still have, as Linux tells it.
fn available_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

fn line_with(log: &str, word: &str) -> String {
    let line = log.lines().find(|line| line.to_lowercase().contains(word));
    cut(line.unwrap_or_default())
}

fn cut(line: &str) -> String {
    crate::term::one_line(line, 200)
}

const SIGILL: i32 = 4;
const SIGKILL: i32 = 9;

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    // A shell script around the engine passes its signal on like this.
    signal
        .or_else(|| Some(status.code()? - 128).filter(|signal| [SIGILL, SIGKILL].contains(signal)))
}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}
