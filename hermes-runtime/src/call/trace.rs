use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The recorded steps of a call. Clones share the record.
#[derive(Debug, Clone, Default)]
pub struct Trace(Arc<Mutex<Vec<TraceStep>>>);

/// One step.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TraceStep {
    /// Which.
    pub stage: &'static str,
    /// How long it took.
    pub took: Duration,
    /// What it found or changed.
    pub note: String,
}

impl Trace {
    /// The steps so far.
    pub fn steps(&self) -> Vec<TraceStep> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn push(&self, step: TraceStep) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(step);
    }
}

/// Times the steps of one call, if somebody wants to see them.
pub(super) struct Stages<'a> {
    trace: Option<&'a Trace>,
    since: Instant,
}

impl<'a> Stages<'a> {
    pub(super) fn new(trace: Option<&'a Trace>) -> Self {
        Self {
            trace,
            since: Instant::now(),
        }
    }

    /// Ends a step; the note is made only if it is wanted.
    pub(super) fn end(&mut self, stage: &'static str, note: impl FnOnce() -> String) {
        if let Some(trace) = self.trace {
            let now = Instant::now();
            trace.push(TraceStep {
                stage,
                took: now.saturating_duration_since(self.since),
                note: note(),
            });
            self.since = Instant::now();
        }
    }
}
