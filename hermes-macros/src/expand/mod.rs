//! Model → tokens. One file per macro.

mod arguments;
mod command;
mod fallback;
mod hook;
mod paths;
mod plugin;
mod schema;
mod state;
#[cfg(test)]
mod tests;
mod tool;

pub(crate) use command::command;
pub(crate) use hook::hook;
pub(crate) use plugin::plugin;
pub(crate) use schema::schema;
pub(crate) use state::state;
pub(crate) use tool::tool;
