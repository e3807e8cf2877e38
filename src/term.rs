//! The terminal: data goes to stdout, words to stderr, nothing else writes to either.

use std::io::{self, ErrorKind, IsTerminal, Write};

/// Writes a line of data to stdout.
pub(crate) fn line(text: &str) {
    write_all(&mut io::stdout().lock(), &[text, "\n"]);
}

/// Writes a part of a line to stdout, at once.
pub(crate) fn part(text: &str) {
    let mut stdout = io::stdout().lock();
    write_all(&mut stdout, &[text]);
    if stdout.flush().is_err() {
        std::process::exit(1);
    }
}

/// Writes a line of words to stderr.
pub(crate) fn note(text: &str) {
    let mut stderr = io::stderr().lock();
    // Nobody is left to be told that stderr is gone.
    drop(writeln!(stderr, "{text}"));
}

/// A fault of usage or of the host itself, with hints after a blank line.
pub(crate) fn fault(text: &str, hints: &[String]) {
    note(&format!("hermes: {text}"));
    if !hints.is_empty() {
        note("");
        for hint in hints {
            note(&format!("hint: {hint}"));
        }
    }
}

/// Whether stdout is a terminal.
pub(crate) fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}

fn write_all(out: &mut impl Write, parts: &[&str]) {
    for part in parts {
        match out.write_all(part.as_bytes()) {
            Ok(()) => {}
            // `hermes … | head`: the reader has seen enough.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
            Err(error) => {
                fault(&format!("stdout can't be written: {error}"), &[]);
                std::process::exit(1);
            }
        }
    }
}

/// Text from a plugin or a model with the characters taken out that would steer a terminal.
pub(crate) fn plain(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .collect()
}

/// The first line of a text, cut to `width` characters.
pub(crate) fn one_line(text: &str, width: usize) -> String {
    let line: String = plain(text).split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= width {
        return line;
    }
    let kept: String = line.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}
