/// One example of a tool's use: what a user says, and the call that answers it.
///
/// Made by `example(ask = "…", args = { … })` of `#[hermes_tool]`. Shown to readers of the
/// documentation and to small models; `hermes_runtime::testing::TestHost` checks that the tool takes
/// the arguments as they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolExample {
    ask: &'static str,
    args: &'static str,
}

impl ToolExample {
    /// `args` is the JSON text of one object.
    pub const fn new(ask: &'static str, args: &'static str) -> Self {
        Self { ask, args }
    }

    /// What a user would say.
    pub const fn ask(&self) -> &'static str {
        self.ask
    }

    /// The arguments of the call: JSON text of one object, numbers as the author spelled them.
    pub const fn args(&self) -> &'static str {
        self.args
    }
}
