//! A tool call, from raw text to the envelope. Nothing else runs a handler.

pub mod args;
mod cap;
mod dispatch;
mod envelope;
mod names;
mod trace;

pub(crate) use dispatch::{full, judged_by_type, quick};
pub use envelope::ToolReply;
pub(crate) use names::nearest;
pub use trace::{Trace, TraceStep};

use hermes_core::{CallIds, CancelToken};
use std::sync::Arc;

/// Who calls, and what they allow.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct CallContext {
    /// Session, task, turn, platform.
    pub ids: Arc<CallIds>,
    /// The id the model gave the call.
    pub call_id: Option<Arc<str>>,
    /// Ends the call when the caller gives up.
    pub cancel: CancelToken,
    /// The operator's consent.
    pub consent: Consent,
    /// Records the steps, if somebody wants to see them.
    pub trace: Option<Trace>,
}

impl CallContext {
    /// A call in this session.
    pub fn new(ids: Arc<CallIds>) -> Self {
        Self {
            ids,
            ..Self::default()
        }
    }

    /// With the model's id of the call.
    #[must_use]
    pub fn with_call_id(mut self, id: &str) -> Self {
        self.call_id = Some(Arc::from(id));
        self
    }

    /// With a signal that ends it.
    #[must_use]
    pub fn with_cancel(mut self, cancel: CancelToken) -> Self {
        self.cancel = cancel;
        self
    }

    /// With the operator's consent.
    #[must_use]
    pub fn with_consent(mut self, consent: Consent) -> Self {
        self.consent = consent;
        self
    }

    /// Recording its steps.
    #[must_use]
    pub fn with_trace(mut self, trace: Trace) -> Self {
        self.trace = Some(trace);
        self
    }
}

/// What the operator says to tools that destroy and to guards that ask.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Consent {
    /// Nobody can be asked: they don't run.
    #[default]
    Nobody,
    /// The operator has said yes to this call.
    Given,
}
