//! Configuration: the file as written (`raw`), and what the host goes by (`resolved`).

mod raw;
mod resolved;

pub(crate) use resolved::{Config, ConfigError};
