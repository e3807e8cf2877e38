//! Results and errors of tools, hooks and commands.

use hermes_core::prelude::*;

hermes_core::plugin! {}

type Answer<T> = Result<T, std::fmt::Error>;

/// Nothing.
#[hermes_tool]
fn nothing() {}

/// A text that lives for ever.
#[hermes_tool]
fn fixed() -> &'static str {
    "text"
}

/// An alias of `Result`.
#[hermes_tool]
fn alias() -> Answer<u8> {
    Ok(1)
}

/// An error of one's own.
#[hermes_tool]
async fn boxed() -> Result<Option<u8>, Error> {
    Ok(None)
}

/// A written result.
#[hermes_tool]
fn written() -> Result<ToolOutput, ToolError> {
    Ok(ToolOutput::text("x"))
}

#[hermes_hook]
async fn watch(event: &PostToolCall<'_>, ctx: &HookContext) -> Result<(), Error> {
    let _ = (event.tool_name, ctx.session_id());
    Ok(())
}

#[hermes_hook(pre_tool_call, priority = -5, timeout = "500ms")]
fn judge(event: &PreToolCall<'_>) -> Verdict {
    Verdict::block(event.tool_name)
}

/// Says nothing.
#[hermes_command]
fn silent() {}

/// Says a number.
#[hermes_command(name = "number")]
async fn say_number(raw: &str, ctx: &CommandContext) -> Result<usize, std::num::ParseIntError> {
    let _ = ctx.session_id();
    raw.parse()
}

fn main() {}
