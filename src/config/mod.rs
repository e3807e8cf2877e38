//! Configuration: the file as written (`raw`), and what the host goes by (`resolved`).

mod edit;
mod raw;
mod resolved;

pub(crate) use edit::set_model;
pub(crate) use resolved::{Config, ConfigError, LocalConfig};
