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
    // Names of files and words of servers stand in these. Nobody is left to be told that stderr is gone.
    drop(writeln!(stderr, "{}", plain(text)));
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

/// Text from a plugin or a model without what would steer a terminal: control characters, escape
/// sequences whole, and the marks that reorder text (they can make one name look like another).
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let sequence = match (c, rest.peek()) {
            ('\u{1b}', Some('[' | ']')) => rest.next(),
            ('\u{9b}', _) => Some('['),
            ('\u{9d}', _) => Some(']'),
            _ => None,
        };
        match sequence {
            // Parameters, then one final character.
            Some('[') => {
                while rest.next_if(|c| matches!(c, ' '..='?')).is_some() {}
                rest.next_if(|c| matches!(c, '@'..='~'));
            }
            // A command of the terminal's, such as its title, up to its end mark.
            Some(_) => while rest.next_if(|c| !c.is_control()).is_some() {},
            None if c == '\n' || c == '\t' => out.push(c),
            None if c.is_control() || is_reordering(c) => {}
            None => out.push(c),
        }
    }
    out
}

/// Unicode's bidirectional controls.
const fn is_reordering(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
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

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn what_steers_a_terminal_goes_whole_and_text_stays() {
        for (text, expected) in [
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("\u{1b}]0;title\u{7}text", "text"),
            ("\u{9b}2Jtext", "text"),
            ("a\u{202e}b\u{2066}c", "abc"),
            ("\u{1b}", ""),
            ("\u{1b}[", ""),
            (
                "[31m stays, so does é名 🧮\n\t",
                "[31m stays, so does é名 🧮\n\t",
            ),
        ] {
            assert_eq!(plain(text), expected, "{text:?}");
        }
    }
}
