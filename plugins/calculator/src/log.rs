//! The last tool calls, and the command that shows them.

use hermes_core::prelude::*;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many calls are kept.
const KEPT: usize = 100;

/// One call, whoever's tool it was.
struct Entry {
    tool: String,
    session: String,
}

/// The last calls, oldest first.
#[hermes_state]
#[derive(Default)]
struct CallLog(Mutex<VecDeque<Entry>>);

impl CallLog {
    fn entries(&self) -> MutexGuard<'_, VecDeque<Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keeps every tool call, not only ours.
#[hermes_hook(inline)]
fn keep(event: &PostToolCall<'_>, log: &CallLog) {
    let mut entries = log.entries();
    if entries.len() == KEPT {
        entries.pop_front();
    }
    entries.push_back(Entry {
        tool: event.tool_name.to_owned(),
        session: event.task_id.to_owned(),
    });
}

/// Show how often each tool ran among the last 100 calls.
#[hermes_command(args_hint = "[reset]")]
fn calcstats(raw: &str, log: &CallLog) -> Result<String, Error> {
    let mut entries = log.entries();
    match raw {
        "" => {}
        "reset" => {
            entries.clear();
            return Ok("Call log emptied.".to_owned());
        }
        other => {
            return Err(Error::new(format!(
                "unknown word `{other}`; write /calcstats or /calcstats reset"
            )));
        }
    }
    if entries.is_empty() {
        return Ok("No tool calls yet.".to_owned());
    }
    let mut tools: BTreeMap<&str, usize> = BTreeMap::new();
    let mut sessions: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in entries.iter() {
        *tools.entry(&entry.tool).or_default() += 1;
        *sessions.entry(&entry.session).or_default() += 1;
    }
    let mut lines = vec![format!(
        "Last {} calls, {} sessions:",
        entries.len(),
        sessions.len()
    )];
    lines.extend(
        tools
            .iter()
            .map(|(tool, count)| format!("  {tool}: {count}")),
    );
    Ok(lines.join("\n"))
}
