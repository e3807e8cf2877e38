//! Syntax → model. Total: a fault is recorded and leaves a hole.

mod args;
mod docs;
mod example;
mod item;
mod json;
pub(crate) mod words;

pub(crate) use args::{
    command_words, hook_words, plugin_words, schema_words, state_crate, tool_words,
};
pub(crate) use item::{function, take_arg_default};
