//! Every environment variable that Hermes reads, and the only reader of them.

use std::ffi::OsString;
use std::path::PathBuf;

/// A variable and what it is for; shown by `hermes doctor`.
#[derive(Debug, Clone, Copy)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

/// Where configuration, keys and results live; `~/.hermes` if unset.
pub const HOME: &str = "HERMES_HOME";
/// The provider's address.
pub const BASE_URL: &str = "HERMES_BASE_URL";
/// The model.
pub const MODEL: &str = "HERMES_MODEL";
/// The provider.
pub const PROVIDER: &str = "HERMES_PROVIDER";
/// The key for an address that no known provider owns.
pub const API_KEY: &str = "HERMES_API_KEY";
/// Whether to print how plugins were found.
pub const PLUGINS_DEBUG: &str = "HERMES_PLUGINS_DEBUG";

/// All of them, besides the key variables of the providers.
pub const ALL: &[Variable] = &[
    Variable {
        name: HOME,
        meaning: "folder of configuration, keys and results; default ~/.hermes",
    },
    Variable {
        name: BASE_URL,
        meaning: "address of an OpenAI-compatible API, up to and including /v1",
    },
    Variable {
        name: MODEL,
        meaning: "model to ask",
    },
    Variable {
        name: PROVIDER,
        meaning: "provider to ask",
    },
    Variable {
        name: API_KEY,
        meaning: "key for an address that belongs to no known provider",
    },
    Variable {
        name: PLUGINS_DEBUG,
        meaning: "1 prints to stderr how plugins were found",
    },
];

/// The value of a variable; `None` if it is unset, blank or no Unicode.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the environment"
)]
pub fn var(name: &str) -> Option<String> {
    std::env::var(name)
        .ok()
        .filter(|value| !value.trim().is_empty())
}

/// Whether a variable says yes: `1`, `true`, `yes` or `on`.
pub fn is_on(name: &str) -> bool {
    var(name).is_some_and(|value| {
        ["1", "true", "yes", "on"]
            .iter()
            .any(|yes| value.trim().eq_ignore_ascii_case(yes))
    })
}

/// The user's home folder, `None` if nothing says where it is.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the environment"
)]
fn user_home() -> Option<PathBuf> {
    // `USERPROFILE` is Windows' name for it.
    let home: Option<OsString> =
        std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"));
    home.filter(|home| !home.is_empty()).map(PathBuf::from)
}

/// Hermes' home: `HERMES_HOME`, else `~/.hermes`, else `None`.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the environment"
)]
pub fn home() -> Option<PathBuf> {
    match std::env::var_os(HOME) {
        Some(home) if !home.is_empty() => Some(PathBuf::from(home)),
        _ => user_home().map(|home| home.join(".hermes")),
    }
}
