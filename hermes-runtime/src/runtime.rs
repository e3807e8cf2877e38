use crate::builder::Builder;
use crate::call::{self, CallContext, ToolReply};
use crate::clock::Clock;
use crate::contain::catch;
use crate::examples;
use crate::hooks::Engines;
use crate::registry::{Registry, Tool};
use crate::report::{LoadFault, LoadReport};
use crate::schema::Canonical;
use crate::state::States;
use crate::tasks::Tasks;
use crate::threads::{Stopped, Threads};
use hermes_core::{
    Availability, CommandContext, CommandDef, CommandHandler, Error, Host, Scope, StateDef, ToolDef,
};
use std::any::Any;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The time limit of a slash command.
const COMMAND_LIMIT: Duration = Duration::from_secs(30);

/// A host's engine: the frozen registry, the state of its plugins, and the one road of a call.
///
/// Clones share everything. Two runtimes in one process share nothing.
#[derive(Clone)]
pub struct Runtime(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) registry: Registry,
    pub(crate) states: States,
    pub(crate) engines: Engines,
    pub(crate) clock: Clock,
    pub(crate) limits: Limits,
}

#[derive(Debug, Clone)]
pub(crate) struct Limits {
    pub(crate) timeout: Duration,
    pub(crate) max_result_chars: usize,
    pub(crate) results_folder: Option<PathBuf>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_mins(1),
            max_result_chars: 100_000,
            results_folder: None,
        }
    }
}

impl Host for Inner {
    fn state(&self, def: &'static StateDef) -> Result<Arc<dyn Any + Send + Sync>, Error> {
        self.states.get(def, &self.clock)
    }
}

impl Inner {
    pub(crate) fn scope(self: &Arc<Self>, call: &CallContext) -> Scope {
        let host = Arc::clone(self);
        Scope::new(
            host,
            Arc::clone(&call.ids),
            call.call_id.clone(),
            call.cancel.clone(),
        )
    }
}

/// What a model is told of a tool.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ToolDefinition<'a> {
    /// The name to call.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    /// The JSON schema of its arguments, as it goes out.
    pub parameters: &'a serde_json::Value,
}

/// A use of a tool, as its author shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExampleCall {
    /// The tool that is called.
    pub tool: &'static str,
    /// What a user says.
    pub ask: &'static str,
    /// The arguments of the call that answers it: JSON text of one object.
    pub args: &'static str,
}

/// A registered tool, for listings.
#[derive(Clone, Copy)]
pub struct ToolView<'a> {
    tool: &'a Tool,
    clock: &'a Clock,
}

impl<'a> ToolView<'a> {
    /// Its definition.
    pub const fn def(&self) -> &'static ToolDef {
        self.tool.def
    }

    /// Its plugin's name.
    pub fn plugin(&self) -> &'static str {
        self.tool.plugin()
    }

    /// Its toolset's name.
    pub fn toolset(&self) -> &'static str {
        self.tool.toolset()
    }

    /// Whether it can be used now, and if not why.
    ///
    /// # Errors
    /// The reason why it is off.
    pub fn available(&self) -> Availability {
        self.tool.available(self.clock)
    }

    /// Its schemas.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn schema(&self) -> Result<&'a Canonical, &'a str> {
        self.tool.schema()
    }
}

impl fmt::Debug for ToolView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tool.def.fmt(f)
    }
}

/// A registered slash command.
pub type CommandView = &'static CommandDef;

impl Runtime {
    /// Starts with all that is linked into the binary.
    pub fn builder() -> Builder {
        Builder::new()
    }

    pub(crate) fn new(registry: Registry, clock: Clock, limits: Limits) -> Self {
        Self(Arc::new(Inner {
            registry,
            states: States::default(),
            engines: Engines {
                threads: Threads::new(),
                tasks: Tasks::default(),
            },
            clock,
            limits,
        }))
    }

    /// Calls a tool: the one road for models, shells, MCP clients and slash commands.
    ///
    /// Availability → parse and repair → guards → approval → handler → observers → size cap. What
    /// nobody subscribed to is skipped. `raw` is the text of the arguments as it came.
    ///
    /// Never fails: every way to go wrong is a [`ToolReply`] with another [`Status`].
    ///
    /// [`Status`]: hermes_core::Status
    pub async fn call(&self, name: &str, raw: &str, call: &CallContext) -> ToolReply {
        match call::quick(&self.0, name, raw, call) {
            Some(reply) => reply,
            // Boxed, so that the quick road doesn't carry the long one's state.
            None => Box::pin(call::full(&self.0, name, raw, call)).await,
        }
    }

    /// Runs a slash command; `None` if there is none of this name.
    ///
    /// # Errors
    /// The command's own, its panic, or that its time passed.
    pub async fn command(
        &self,
        name: &str,
        raw: &str,
        call: &CallContext,
    ) -> Option<Result<String, Error>> {
        let def = self.0.registry.command(name)?;
        let ctx = CommandContext::new(self.0.scope(call));
        let raw = raw.to_owned();
        let said = match def.handler() {
            CommandHandler::Blocking(run) => {
                let work = move || run(&ctx, &raw);
                self.0
                    .engines
                    .threads
                    .run(COMMAND_LIMIT, &call.cancel, work)
                    .await
            }
            CommandHandler::Async(run) => {
                let future = async move { run(&ctx, &raw).await };
                self.0
                    .engines
                    .tasks
                    .run(COMMAND_LIMIT, &call.cancel, future)
                    .await
            }
        };
        Some(match said {
            Ok(said) => said,
            Err(Stopped::Timeout(limit)) => Err(Error::new(format!("timed out after {limit:?}"))),
            Err(Stopped::Cancelled) => Err(Error::new("cancelled")),
            Err(Stopped::Panicked(text)) => Err(Error::new(format!("panicked: {text}"))),
            Err(Stopped::Full(text)) => Err(Error::new(text)),
        })
    }

    /// All registered tools by name, available or not.
    pub fn tools(&self) -> impl Iterator<Item = ToolView<'_>> {
        let clock = &self.0.clock;
        self.0
            .registry
            .tools()
            .iter()
            .map(move |tool| ToolView { tool, clock })
    }

    /// A registered tool.
    pub fn tool(&self, name: &str) -> Option<ToolView<'_>> {
        let tool = self.0.registry.tool(name)?;
        Some(ToolView {
            tool,
            clock: &self.0.clock,
        })
    }

    /// Names like `name`, for "did you mean".
    pub fn tools_like(&self, name: &str) -> Vec<&'static str> {
        call::nearest(&self.0.registry, name)
    }

    /// What a model is told: the available tools by name. A check that panics hides its tool.
    pub fn definitions(&self) -> Vec<ToolDefinition<'_>> {
        self.usable()
            .map(|(tool, schema)| ToolDefinition {
                name: tool.def().name(),
                description: tool.def().description(),
                parameters: schema.wire(),
            })
            .collect()
    }

    /// The examples of the tools that a model is told of: by tool, then in the author's order.
    pub fn examples(&self) -> Vec<ExampleCall> {
        self.usable()
            .flat_map(|(tool, _)| {
                let examples = tool.def().examples().iter();
                examples.map(move |example| ExampleCall {
                    tool: tool.def().name(),
                    ask: example.ask(),
                    args: example.args(),
                })
            })
            .collect()
    }

    /// The available tools. One without a usable schema is in `faults`; a bad schema fails a whole
    /// request.
    fn usable(&self) -> impl Iterator<Item = (ToolView<'_>, &Canonical)> {
        self.tools()
            .filter(|tool| tool.available().is_ok())
            .filter_map(|tool| Some((tool, tool.schema().ok()?)))
    }

    /// The registered slash commands by name.
    pub fn commands(&self) -> &[CommandView] {
        self.0.registry.commands()
    }

    /// What loaded and what didn't.
    pub fn report(&self) -> &LoadReport {
        self.0.registry.report()
    }

    /// All faults, also those that only show when every schema is built and every example is read.
    pub fn faults(&self) -> Vec<LoadFault> {
        let mut faults = self.report().faults.clone();
        for tool in self.tools() {
            let built = catch(|| tool.schema().err().map(str::to_owned));
            let reason =
                built.unwrap_or_else(|panic| Some(format!("its schema panicked: {panic}")));
            if let Some(reason) = reason {
                faults.push(LoadFault::BadSchema {
                    tool: tool.def().name().to_owned(),
                    reason,
                });
            }
        }
        faults.extend(self.example_faults());
        faults
    }

    /// The examples that their own tools don't take as they stand.
    pub(crate) fn example_faults(&self) -> Vec<LoadFault> {
        let tools = self.0.registry.tools().iter();
        tools.flat_map(examples::faults).collect()
    }

    /// Threads that still run calls whose time had passed.
    pub fn abandoned_threads(&self) -> usize {
        self.0.engines.threads.abandoned() + self.0.engines.tasks.blocked()
    }
}

impl fmt::Debug for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runtime")
            .field("tools", &self.0.registry.tools().len())
            .finish_non_exhaustive()
    }
}
