use crate::__private::{BoxFuture, IntoError};
use crate::{Error, EventData, EventKind, HookContext, Origin, PreToolCall};
use std::time::Duration;

/// What a hook is for; its return type says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HookRole {
    /// Watches. If it fails, that is logged and the call goes on.
    Observer,
    /// Judges. If it fails, the call is blocked.
    Guard,
}

/// A hook's answer as the engine takes it; `None` from an observer.
pub type Judged = Result<Option<Verdict>, Error>;

/// How a hook's function is run; see [`Handler`](crate::Handler).
#[derive(Debug, Clone, Copy)]
pub enum HookHandler {
    /// On the caller's thread, without a time limit.
    Inline(fn(&HookContext, &EventData) -> Judged),
    /// On the blocking pool.
    Blocking(fn(&HookContext, &EventData) -> Judged),
    /// On the async runtime.
    Async(for<'a> fn(&'a HookContext, &'a EventData) -> BoxFuture<'a, Judged>),
}

/// A hook, as `#[hermes_hook]` describes it.
#[derive(Debug)]
pub struct HookDef {
    name: &'static str,
    event: EventKind,
    role: HookRole,
    priority: i32,
    timeout: Option<Duration>,
    origin: Origin,
    handler: HookHandler,
}

impl HookDef {
    /// A hook of this name, event, role and function.
    pub const fn new(
        name: &'static str,
        event: EventKind,
        role: HookRole,
        origin: Origin,
        handler: HookHandler,
    ) -> Self {
        Self {
            name,
            event,
            role,
            priority: 0,
            timeout: None,
            origin,
            handler,
        }
    }

    /// Runs it before those with a smaller number.
    #[must_use]
    pub const fn with_priority(mut self, priority: i32) -> Self {
        self.priority = priority;
        self
    }

    /// Limits its time, in milliseconds.
    #[must_use]
    pub const fn with_timeout_ms(mut self, millis: u64) -> Self {
        self.timeout = Some(Duration::from_millis(millis));
        self
    }

    /// The function's name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Its event.
    pub const fn event(&self) -> EventKind {
        self.event
    }

    /// What it is for.
    pub const fn role(&self) -> HookRole {
        self.role
    }

    /// The larger, the earlier.
    pub const fn priority(&self) -> i32 {
        self.priority
    }

    /// Its time limit, if it isn't the host's.
    pub const fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// Where it stands.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Its function.
    pub const fn handler(&self) -> HookHandler {
        self.handler
    }
}

/// The hidden type beside a `#[hermes_hook]` function.
pub trait HookItem {
    /// Its definition.
    fn def() -> &'static HookDef;
}

/// A guard's judgement of a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Nothing against it.
    Allow,
    /// It must not run; see [`Verdict::block`].
    Block {
        /// Told to the model.
        reason: String,
    },
    /// The operator must say yes; see [`Verdict::ask`].
    Ask {
        /// Shown to the operator.
        reason: String,
    },
}

impl Verdict {
    /// The call must not run; the model is told why.
    pub fn block(reason: impl Into<String>) -> Self {
        Self::Block {
            reason: reason.into(),
        }
    }

    /// The call runs only if the operator says yes; where nobody can be asked it is blocked.
    pub fn ask(reason: impl Into<String>) -> Self {
        Self::Ask {
            reason: reason.into(),
        }
    }
}

/// What a hook of event `E` may return. The type decides the hook's role.
#[diagnostic::on_unimplemented(
    message = "a hook of `{E}` can't return `{Self}`",
    label = "not an answer to this event",
    note = "return nothing to watch; `pre_tool_call` may return `Verdict` to judge; `Result` of either allows `?`"
)]
pub trait HookReturn<E> {
    /// The role.
    const ROLE: HookRole;

    /// The answer as the engine takes it.
    ///
    /// # Errors
    /// The hook's own.
    fn judged(self) -> Judged;
}

impl<E> HookReturn<E> for () {
    const ROLE: HookRole = HookRole::Observer;

    fn judged(self) -> Judged {
        Ok(None)
    }
}

impl HookReturn<PreToolCall<'_>> for Verdict {
    const ROLE: HookRole = HookRole::Guard;

    fn judged(self) -> Judged {
        Ok(Some(self))
    }
}

impl<E, R: HookReturn<E>, Err: IntoError> HookReturn<E> for Result<R, Err> {
    const ROLE: HookRole = R::ROLE;

    fn judged(self) -> Judged {
        self.map_err(IntoError::into_error)?.judged()
    }
}
