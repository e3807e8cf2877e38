use super::ToolExample;
use crate::__private::BoxFuture;
use crate::{Error, Origin, ToolContext, ToolError, ToolOutput};
use schemars::{Schema, SchemaGenerator};
use std::fmt::Display;
use std::time::Duration;

/// A function that writes a type's schema.
pub type SchemaFn = fn(&mut SchemaGenerator) -> Option<Schema>;

/// A function that reads arguments into the handler's types and does nothing with them.
pub type DecodeFn = fn(&str) -> Result<(), Fault>;

/// What a handler gives back.
pub type Handled = Result<ToolOutput, Fault>;

/// Why a handler gave no output.
#[derive(Debug)]
pub enum Fault {
    /// The arguments don't fit the types; the function did not run.
    Arguments(serde_json::Error),
    /// An injected parameter can't be made; the function did not run.
    Unavailable(Error),
    /// The function ran and failed.
    Failed(ToolError),
}

/// How a tool's function is run. All take the arguments as JSON text of one object.
#[derive(Debug, Clone, Copy)]
pub enum Handler {
    /// On the caller's thread, without a time limit: pure and short work.
    Inline(fn(&ToolContext, &str) -> Handled),
    /// On the blocking pool, within a time limit.
    Blocking(fn(&ToolContext, &str) -> Handled),
    /// On the async runtime, within a time limit.
    Async(for<'a> fn(&'a ToolContext, &'a str) -> BoxFuture<'a, Handled>),
}

/// What a tool says of its effects, `None` where it says nothing. MCP's annotations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hints {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// It may destroy something; asks for the operator's approval.
    pub destructive: Option<bool>,
    /// Doing it twice is doing it once.
    pub idempotent: Option<bool>,
    /// It talks to an open world, such as the web.
    pub open_world: Option<bool>,
}

impl Hints {
    /// Nothing said.
    pub const fn new() -> Self {
        Self {
            read_only: None,
            destructive: None,
            idempotent: None,
            open_world: None,
        }
    }
}

/// The static description of a tool; `#[hermes_tool]` makes it.
///
/// Holds `&'static str` and function pointers only, so registering costs nothing at start.
#[derive(Debug)]
pub struct ToolDef {
    name: &'static str,
    description: &'static str,
    toolset: Option<&'static str>,
    emoji: Option<&'static str>,
    origin: Origin,
    hints: Hints,
    timeout: Option<Duration>,
    max_result_chars: Option<usize>,
    check: Option<fn() -> Availability>,
    input: SchemaFn,
    output: Option<SchemaFn>,
    handler: Handler,
    strict_arguments: bool,
    examples: &'static [ToolExample],
    decode: Option<DecodeFn>,
    // Held so that the linker can't drop the symbol that makes a second tool of this name an error.
    mark: Option<&'static u8>,
}

impl ToolDef {
    /// A tool of this name, description, argument schema and function.
    pub const fn new(
        name: &'static str,
        description: &'static str,
        origin: Origin,
        input: SchemaFn,
        handler: Handler,
    ) -> Self {
        Self {
            name,
            description,
            toolset: None,
            emoji: None,
            origin,
            hints: Hints::new(),
            timeout: None,
            max_result_chars: None,
            check: None,
            input,
            output: None,
            handler,
            strict_arguments: false,
            examples: &[],
            decode: None,
            mark: None,
        }
    }

    /// Groups it elsewhere than under its plugin's name.
    #[must_use]
    pub const fn with_toolset(mut self, toolset: &'static str) -> Self {
        self.toolset = Some(toolset);
        self
    }

    /// Shows this beside its name.
    #[must_use]
    pub const fn with_emoji(mut self, emoji: &'static str) -> Self {
        self.emoji = Some(emoji);
        self
    }

    /// Says whether it changes nothing.
    #[must_use]
    pub const fn read_only(mut self, yes: bool) -> Self {
        self.hints.read_only = Some(yes);
        self
    }

    /// Says whether it may destroy something.
    #[must_use]
    pub const fn destructive(mut self, yes: bool) -> Self {
        self.hints.destructive = Some(yes);
        self
    }

    /// Says whether doing it twice is doing it once.
    #[must_use]
    pub const fn idempotent(mut self, yes: bool) -> Self {
        self.hints.idempotent = Some(yes);
        self
    }

    /// Says whether it talks to an open world.
    #[must_use]
    pub const fn open_world(mut self, yes: bool) -> Self {
        self.hints.open_world = Some(yes);
        self
    }

    /// Limits its time, in milliseconds.
    #[must_use]
    pub const fn with_timeout_ms(mut self, millis: u64) -> Self {
        self.timeout = Some(Duration::from_millis(millis));
        self
    }

    /// Limits its result, in characters.
    #[must_use]
    pub const fn with_max_result_chars(mut self, chars: usize) -> Self {
        self.max_result_chars = Some(chars);
        self
    }

    /// Hides it while this says so.
    #[must_use]
    pub const fn with_check(mut self, check: fn() -> Availability) -> Self {
        self.check = Some(check);
        self
    }

    /// Describes its result.
    #[must_use]
    pub const fn with_output(mut self, output: SchemaFn) -> Self {
        self.output = Some(output);
        self
    }

    /// Says that its arguments' type refuses undeclared keys, so that text may go straight into it
    /// where nothing else stands against that.
    #[must_use]
    pub const fn with_strict_arguments(mut self) -> Self {
        self.strict_arguments = true;
        self
    }

    /// Shows how it is used. `decode` lets tests see that the handler's types take the arguments.
    #[must_use]
    pub const fn with_examples(
        mut self,
        examples: &'static [ToolExample],
        decode: DecodeFn,
    ) -> Self {
        self.examples = examples;
        self.decode = Some(decode);
        self
    }

    /// Keeps the symbol that makes a second tool of its name a link error.
    #[must_use]
    pub const fn with_mark(mut self, mark: &'static u8) -> Self {
        self.mark = Some(mark);
        self
    }

    /// The name a model calls.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What a model reads.
    pub const fn description(&self) -> &'static str {
        self.description
    }

    /// Its group, if it isn't the plugin's name.
    pub const fn toolset(&self) -> Option<&'static str> {
        self.toolset
    }

    /// What to show beside its name.
    pub const fn emoji(&self) -> Option<&'static str> {
        self.emoji
    }

    /// Where it stands.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// What it says of its effects.
    pub const fn hints(&self) -> Hints {
        self.hints
    }

    /// Its time limit, if it isn't the host's.
    pub const fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// Its result limit, if it isn't the host's.
    pub const fn max_result_chars(&self) -> Option<usize> {
        self.max_result_chars
    }

    /// Its availability check.
    pub const fn check(&self) -> Option<fn() -> Availability> {
        self.check
    }

    /// Writes the schema of its arguments.
    pub const fn input(&self) -> SchemaFn {
        self.input
    }

    /// Writes the schema of its result.
    pub const fn output(&self) -> Option<SchemaFn> {
        self.output
    }

    /// Whether its arguments' type refuses undeclared keys.
    pub const fn strict_arguments(&self) -> bool {
        self.strict_arguments
    }

    /// Examples of its use, in the author's order.
    pub const fn examples(&self) -> &'static [ToolExample] {
        self.examples
    }

    /// Reads arguments into its function's types without running it. There if it has examples.
    pub const fn decode(&self) -> Option<DecodeFn> {
        self.decode
    }

    /// Its function.
    pub const fn handler(&self) -> Handler {
        self.handler
    }
}

/// The hidden type beside a `#[hermes_tool]` function.
pub trait ToolItem {
    /// Its definition.
    fn def() -> &'static ToolDef;
}

/// A struct that can be a tool's whole argument object; `#[hermes_schema]` makes it one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no struct of arguments",
    label = "a sole parameter called `args` holds all arguments",
    note = "put `#[hermes_schema]` on the struct, or `#[arg]` before the parameter if it is one argument"
)]
pub trait ToolArgs {
    /// Named by the assertion beside each parameter `args`.
    #[doc(hidden)]
    const CHECKED: () = ();
}

/// Whether a tool can be used now, and if not why.
pub type Availability = Result<(), String>;

/// What a `check` may return: `bool` or `Result<(), impl Display>`.
#[diagnostic::on_unimplemented(
    message = "a `check` can't return `{Self}`",
    label = "says neither yes nor no",
    note = "return `bool`, or `Result<(), E>` whose error says why the tool is off"
)]
pub trait IntoAvailability {
    /// The answer.
    ///
    /// # Errors
    /// The reason why the tool is off.
    fn into_availability(self) -> Availability;
}

impl IntoAvailability for bool {
    fn into_availability(self) -> Availability {
        if self {
            Ok(())
        } else {
            Err("its check says it is not available".to_owned())
        }
    }
}

impl<E: Display> IntoAvailability for Result<(), E> {
    fn into_availability(self) -> Availability {
        self.map_err(|error| error.to_string())
    }
}
