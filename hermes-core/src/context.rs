use crate::{CancelToken, Error, StateDef};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// What contexts ask of the engine. Implemented by the runtime, called by expanded code.
pub trait Host: Send + Sync + 'static {
    /// The state `def` describes, made on first use.
    ///
    /// # Errors
    /// If making it failed.
    fn state(&self, def: &'static StateDef) -> Result<Arc<dyn Any + Send + Sync>, Error>;
}

/// Where a call comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Platform {
    /// A terminal.
    #[default]
    Cli,
    /// Another program's code, through the library.
    Embedded,
}

impl Platform {
    /// The word used in events and logs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cli => "cli",
            Self::Embedded => "embedded",
        }
    }
}

/// Who is calling: the ids of a session and of a turn in it. All may be empty.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct CallIds {
    /// The session.
    pub session: String,
    /// The task, that is the agent's run that made the call; a sub-agent has its own.
    pub task: String,
    /// The user message being answered.
    pub turn: String,
    /// Where it comes from.
    pub platform: Platform,
}

/// What all contexts are handles on.
#[derive(Clone)]
pub struct Scope {
    host: Arc<dyn Host>,
    ids: Arc<CallIds>,
    call: Option<Arc<str>>,
    cancel: CancelToken,
}

impl Scope {
    /// Made by the engine for each call.
    pub fn new(
        host: Arc<dyn Host>,
        ids: Arc<CallIds>,
        call: Option<Arc<str>>,
        cancel: CancelToken,
    ) -> Self {
        Self {
            host,
            ids,
            call,
            cancel,
        }
    }

    pub(crate) fn host(&self) -> &dyn Host {
        &*self.host
    }

    pub(crate) const fn cancel_token(&self) -> &CancelToken {
        &self.cancel
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope")
            .field("ids", &self.ids)
            .field("call", &self.call)
            .finish_non_exhaustive()
    }
}

macro_rules! context {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone)]
        pub struct $name(Scope);

        impl $name {
            /// Made by the engine.
            pub const fn new(scope: Scope) -> Self {
                Self(scope)
            }

            pub(crate) const fn as_scope(&self) -> &Scope {
                &self.0
            }

            /// The session's id, empty outside of one.
            pub fn session_id(&self) -> &str {
                &self.0.ids.session
            }

            /// The task's id, empty outside of one.
            pub fn task_id(&self) -> &str {
                &self.0.ids.task
            }

            /// The turn's id, empty outside of one.
            pub fn turn_id(&self) -> &str {
                &self.0.ids.turn
            }

            /// The id that the model gave this call, empty if there is none.
            pub fn call_id(&self) -> &str {
                self.0.call.as_deref().unwrap_or_default()
            }

            /// Where the call comes from.
            pub fn platform(&self) -> Platform {
                self.0.ids.platform
            }

            /// Waits until the caller gives up.
            pub fn cancelled(&self) -> crate::Cancelled<'_> {
                self.0.cancel.cancelled()
            }

            /// Whether the caller has given up.
            pub fn is_cancelled(&self) -> bool {
                self.0.cancel.is_cancelled()
            }
        }
    };
}

context! {
    /// A tool's view of the call it answers.
    ToolContext
}
context! {
    /// A hook's view of what it watches; the event has the rest.
    HookContext
}
context! {
    /// A slash command's view of the session it runs in.
    CommandContext
}
