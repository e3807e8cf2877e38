//! For the tests of plugins: a host of one's own, on the real road.

use crate::{Builder, CallContext, Runtime, ToolReply};
use hermes_core::{CallIds, Error};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// A host with the items of the test binary, its own state and no home.
///
/// ```no_run
/// # use hermes_runtime::testing::TestHost;
/// # use serde_json::json;
/// # async fn demo() {
/// let host = TestHost::new();
/// let reply = host.call("calculate", json!({"expression": "1+1"})).await;
/// assert_eq!(reply.json(), r#"{"expression":"1+1","result":2}"#);
/// # }
/// ```
#[derive(Clone)]
pub struct TestHost {
    runtime: Runtime,
    call: CallContext,
}

impl Default for TestHost {
    fn default() -> Self {
        Self::new()
    }
}

impl TestHost {
    /// A host of all that the test binary links.
    ///
    /// # Panics
    /// As [`of`](Self::of).
    #[track_caller]
    pub fn new() -> Self {
        Self::of(Runtime::builder())
    }

    /// A host put together by hand.
    ///
    /// # Panics
    /// If a tool doesn't take the arguments of one of its own `example`s as they stand, so that
    /// every plugin with a test has its examples tested.
    #[track_caller]
    pub fn of(builder: Builder) -> Self {
        let runtime = builder.build();
        let faults = runtime.example_faults();
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        let mut ids = CallIds::default();
        "test-session".clone_into(&mut ids.session);
        "test-task".clone_into(&mut ids.task);
        ids.platform = hermes_core::Platform::Embedded;
        Self {
            runtime,
            call: CallContext::new(Arc::new(ids)),
        }
    }

    /// With another caller.
    #[must_use]
    pub fn with_call(mut self, call: CallContext) -> Self {
        self.call = call;
        self
    }

    /// Calls a tool with arguments given as a value.
    pub async fn call(&self, tool: &str, args: Value) -> ToolReply {
        self.call_raw(tool, &args.to_string()).await
    }

    /// Calls a tool with arguments as a model would send them.
    pub async fn call_raw(&self, tool: &str, raw: &str) -> ToolReply {
        self.runtime.call(tool, raw, &self.call).await
    }

    /// Runs a slash command.
    ///
    /// # Errors
    /// The command's own, or that there is none of this name.
    pub async fn command(&self, name: &str, raw: &str) -> Result<String, Error> {
        match self.runtime.command(name, raw, &self.call).await {
            Some(said) => said,
            None => Err(Error::new(format!("no command /{name}"))),
        }
    }

    /// The engine itself.
    pub const fn runtime(&self) -> &Runtime {
        &self.runtime
    }
}

impl fmt::Debug for TestHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.runtime.fmt(f)
    }
}
