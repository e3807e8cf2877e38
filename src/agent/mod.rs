//! The agent: a user's message in, model steps and tool calls, an answer out.

mod prompt;
mod small;
mod turn;

pub(crate) use prompt::system_prompt;
pub(crate) use small::{Example, SmallModel};
pub(crate) use turn::{Event, Outcome, Turn, recover};
