//! Shows events on stderr: a bar on a terminal, a line for each item elsewhere.

use super::event::Event;
use crate::local::store::disk::size;
use crate::term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

/// Without colours, so that `NO_COLOR` needs no care.
const BAR: &str = "{msg} [{bar:24}] {decimal_bytes} of {decimal_total_bytes}, {decimal_bytes_per_sec}, {eta} left";
const BUILD: &str = "{msg} [{bar:24}] {percent} %, {elapsed}";

/// Words about a pull.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    is_terminal: bool,
    /// Tenths of a build that were told where there is no bar.
    tenths: u64,
}

impl Progress {
    /// On stderr.
    pub(crate) fn new() -> Self {
        Self {
            bar: None,
            is_terminal: std::io::stderr().is_terminal(),
            tenths: 0,
        }
    }

    /// Shows an event.
    pub(crate) fn show(&mut self, event: &Event) {
        match event {
            Event::Started {
                what,
                bytes,
                resumed_at,
                ..
            } => {
                self.say(event);
                self.begin(BAR, what, *bytes);
                if let Some(bar) = &self.bar {
                    bar.set_position(*resumed_at);
                    // The speed is that of this transfer.
                    bar.reset_eta();
                }
            }
            Event::Bytes(position) => {
                if let Some(bar) = &self.bar {
                    bar.set_position(*position);
                }
            }
            Event::BuildStarted { what, .. } => {
                self.say(event);
                self.tenths = 0;
                self.begin(BUILD, what, 100);
            }
            Event::Building(line) => self.building(line),
            Event::Verified { .. } | Event::Skipped { .. } | Event::Installed { .. } => {
                self.end();
                self.say(event);
            }
            Event::Present { .. } | Event::Waiting { .. } | Event::Retrying { .. } => {
                self.say(event);
            }
        }
    }

    fn building(&mut self, line: &str) {
        let Some(percent) = percent(line) else {
            return;
        };
        if let Some(bar) = &self.bar {
            bar.set_position(percent);
        } else if percent / 10 > self.tenths {
            self.tenths = percent / 10;
            term::note(&format!("  built {} %", self.tenths * 10));
        }
    }

    fn begin(&mut self, template: &str, what: &str, length: u64) {
        self.end();
        if !self.is_terminal {
            return;
        }
        let bar =
            ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr_with_hz(5));
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(what.to_owned());
        self.bar = Some(bar);
    }

    fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn say(&self, event: &Event) {
        let Some(text) = words(event) else { return };
        match &self.bar {
            Some(bar) => bar.suspend(|| term::note(&text)),
            None => term::note(&text),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

/// What is said about an event.
fn words(event: &Event) -> Option<String> {
    Some(match event {
        Event::Present { what, path } => format!("{what}: there already, `{}`", path.display()),
        Event::Waiting { what } => format!("{what}: another pull is at it; waiting"),
        Event::Started {
            what,
            source,
            bytes,
            resumed_at: 0,
        } => format!("{what}: {} from {source}", size(*bytes)),
        Event::Started {
            what,
            source,
            bytes,
            resumed_at,
        } => format!(
            "{what}: {} from {source}, going on at {}",
            size(*bytes),
            size(*resumed_at)
        ),
        Event::Retrying { why, wait } => {
            format!("broken off ({why}); again in {} s", wait.as_secs())
        }
        Event::Verified { what } => format!("{what}: checksum is right"),
        Event::Skipped { source, why } => format!("{source}: {why}; trying the next way"),
        Event::BuildStarted {
            what,
            about_minutes,
        } => format!("{what}: building, about {about_minutes} minutes"),
        Event::Installed { what, path } => format!("{what}: `{}`", path.display()),
        Event::Bytes(_) | Event::Building(_) => return None,
    })
}

/// How far a build is: `[ 12%]` of make, `[26/208]` of Ninja.
fn percent(line: &str) -> Option<u64> {
    let inside = line
        .trim_start()
        .strip_prefix('[')?
        .split(']')
        .next()?
        .trim();
    if let Some(percent) = inside.strip_suffix('%') {
        return percent.parse().ok().filter(|percent| *percent <= 100);
    }
    let (done, all) = inside.split_once('/')?;
    let (done, all): (u64, u64) = (done.parse().ok()?, all.parse().ok()?);
    done.checked_mul(100)?
        .checked_div(all)
        .filter(|percent| *percent <= 100)
}

#[cfg(test)]
mod tests {
    use super::{percent, words};
    use crate::local::pull::event::Event;

    #[test]
    fn both_build_tools_tell_how_far_they_are() {
        for (line, expected) in [
            ("[ 12%] Building CXX object a.o", Some(12)),
            ("  [100%] Built target llama-server", Some(100)),
            ("[26/208] Building", Some(12)),
            ("[1/0] odd", None),
            ("[notice] A new release of pip", None),
            ("cc1plus: warning [5%]", None),
        ] {
            assert_eq!(percent(line), expected, "{line}");
        }
    }

    #[test]
    fn a_resumed_transfer_says_where_it_goes_on() {
        let event = |resumed_at| Event::Started {
            what: "m".to_owned(),
            source: "https://example.com/m".to_owned(),
            bytes: 491_400_032,
            resumed_at,
        };
        assert_eq!(
            words(&event(0)).unwrap(),
            "m: 491 MB from https://example.com/m"
        );
        assert_eq!(
            words(&event(100_000_000)).unwrap(),
            "m: 491 MB from https://example.com/m, going on at 100 MB"
        );
    }
}
