use crate::agent::Event;
use crate::provider::{Delta, ToolCall};
use crate::term::{line, note, one_line, part, plain, stdout_is_terminal};
use hermes_runtime::ToolReply;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// How much of a turn is shown while it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Text and tool calls.
    Full,
    /// Text alone.
    Quiet,
    /// One JSON object at the end.
    Json,
}

/// One tool call of a turn, for `--json`.
#[derive(Debug, Serialize)]
struct Called {
    tool: String,
    /// As the model sent them; a text if they are no JSON.
    arguments: Box<RawValue>,
    /// `ok`, `error`, `blocked`, `cancelled` or `timeout`; `not_run` for a call that was cut off.
    status: &'static str,
    result: Option<Box<RawValue>>,
}

impl Called {
    fn new(call: &ToolCall) -> Option<Self> {
        let raw = call.arguments.as_str();
        let arguments = RawValue::from_string(raw.to_owned())
            .or_else(|_| to_raw_value(raw))
            .ok()?;
        Some(Self {
            tool: call.name.clone(),
            arguments,
            status: "not_run",
            result: None,
        })
    }

    fn answered(&mut self, reply: &ToolReply) {
        self.status = reply.status().as_str();
        self.result = RawValue::from_string(reply.json().to_owned()).ok();
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Record<'a> {
    answer: Option<&'a str>,
    calls: &'a [Called],
    error: Option<&'a str>,
    provider: Option<&'a str>,
    model: Option<&'a str>,
}

/// Shows a turn: the answer on stdout, live on a terminal; tool calls on stderr.
pub(super) struct Show {
    form: Form,
    live: bool,
    calls: Vec<Called>,
    /// Text of this step that isn't shown yet, since it may be a tool call.
    held: String,
    /// Text of this step is on the terminal.
    shown: bool,
}

impl Show {
    pub(super) fn new(form: Form) -> Self {
        Self {
            form,
            live: form != Form::Json && stdout_is_terminal(),
            calls: Vec::new(),
            held: String::new(),
            shown: false,
        }
    }

    pub(super) fn event(&mut self, event: &Event<'_>) {
        self.record(event);
        let tells = self.form == Form::Full;
        match event {
            Event::Delta(Delta::Text(text)) if self.live => self.text(text),
            Event::Delta(Delta::Retry { reason, delay }) => {
                self.break_line();
                note(&format!(
                    "hermes: {}; trying again in {delay:.1?}",
                    one_line(reason, 300)
                ));
            }
            Event::NotTheAnswer => {
                self.break_line();
                self.held.clear();
            }
            Event::Calling(call) if tells => {
                let args = one_line(call.arguments.as_str(), 200);
                note(&format!("→ {} {args}", one_line(&call.name, 80)));
            }
            Event::Called(reply) if tells => {
                let mark = if reply.is_ok() { '✓' } else { '✗' };
                note(&format!("  {mark} {}", one_line(reply.json(), 200)));
            }
            Event::NotRun(call) if tells => {
                note(&format!("→ {}: cut off, not run", one_line(&call.name, 80)));
            }
            _ => {}
        }
    }

    fn record(&mut self, event: &Event<'_>) {
        match event {
            Event::Calling(call) | Event::NotRun(call) => self.calls.extend(Called::new(call)),
            Event::Called(reply) => {
                if let Some(call) = self.calls.last_mut() {
                    call.answered(reply);
                }
            }
            Event::Delta(_) | Event::NotTheAnswer => {}
        }
    }

    /// Prints the object of `--json`, if that is wanted.
    pub(super) fn end(&self, answer: Option<&str>, error: Option<&str>, who: Option<(&str, &str)>) {
        if self.form != Form::Json {
            return;
        }
        let record = Record {
            answer,
            calls: &self.calls,
            error,
            provider: who.map(|(provider, _)| provider),
            model: who.map(|(_, model)| model),
        };
        // Texts and JSON that was read before always serialise.
        if let Ok(text) = serde_json::to_string(&record) {
            line(&text);
        }
    }

    fn text(&mut self, text: &str) {
        if self.shown {
            part(&plain(text));
            return;
        }
        self.held.push_str(text);
        // What begins like this may turn out to be a tool call written as text.
        let begin = self.held.trim_start();
        if begin.is_empty() || begin.starts_with(['{', '[', '<', '`']) {
            return;
        }
        let held = std::mem::take(&mut self.held);
        part(&plain(held.trim_start()));
        self.shown = true;
    }

    pub(super) fn break_line(&mut self) {
        if std::mem::take(&mut self.shown) {
            part("\n");
        }
    }

    pub(super) fn answer(&mut self, text: &str) {
        if self.form == Form::Json {
            return;
        }
        if self.shown {
            self.break_line();
        } else if !text.trim().is_empty() {
            line(&plain(text.trim()));
        }
    }
}
