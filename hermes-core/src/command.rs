use crate::__private::BoxFuture;
use crate::{CommandContext, Error, Origin};

/// A `/command`, as `#[hermes_command]` describes it.
#[derive(Debug)]
pub struct CommandDef {
    name: &'static str,
    description: &'static str,
    args_hint: &'static str,
    origin: Origin,
    handler: CommandHandler,
}

/// How a command's function is run; see [`Handler`](crate::Handler).
#[derive(Debug, Clone, Copy)]
pub enum CommandHandler {
    /// On the blocking pool.
    Blocking(fn(&CommandContext, &str) -> Result<String, Error>),
    /// On the async runtime.
    Async(for<'a> fn(&'a CommandContext, &'a str) -> BoxFuture<'a, Result<String, Error>>),
}

impl CommandDef {
    /// A command of this name (without `/`), description and function.
    pub const fn new(
        name: &'static str,
        description: &'static str,
        origin: Origin,
        handler: CommandHandler,
    ) -> Self {
        Self {
            name,
            description,
            args_hint: "",
            origin,
            handler,
        }
    }

    /// Shows what may follow the name, for example `[reset]`.
    #[must_use]
    pub const fn args_hint(mut self, hint: &'static str) -> Self {
        self.args_hint = hint;
        self
    }

    /// The name, without `/`.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What it does.
    pub const fn description(&self) -> &'static str {
        self.description
    }

    /// What may follow the name; empty if nothing.
    pub const fn hint(&self) -> &'static str {
        self.args_hint
    }

    /// Where it stands.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Its function.
    pub const fn handler(&self) -> CommandHandler {
        self.handler
    }
}

/// The hidden type beside a `#[hermes_command]` function.
pub trait CommandItem {
    /// Its definition.
    fn def() -> &'static CommandDef;
}
