//! Rules that need more than one node. Each says why it must hold.

mod command;
mod example;
mod function;
mod hook;
mod schema;
mod tool;
mod types;

pub(crate) use command::{command, command_name_of};
pub(crate) use example::{doubtful, missing};
pub(crate) use hook::hook;
pub(crate) use schema::{goes_on, is_tagged, keeps_the_type, schema, serde_says};
pub(crate) use tool::{tool, typed_args};
