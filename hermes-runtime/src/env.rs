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
/// Where local models and their engine are kept.
pub const CACHE: &str = "HERMES_CACHE";
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
        name: CACHE,
        meaning: "folder of local models and their engine; default ~/.cache/hermes-rs",
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

/// Where programs are looked for, as the system has it.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the environment"
)]
pub fn path() -> Option<OsString> {
    std::env::var_os("PATH")
}

/// The names of those set variables that hold keys, `…_API_KEY`, so that a program which has no
/// need of them can be started without.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the environment"
)]
pub fn key_names() -> Vec<OsString> {
    let names = std::env::vars_os().map(|(name, _)| name);
    names
        .filter(|name| name.as_encoded_bytes().ends_with(b"_API_KEY"))
        .collect()
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

/// The folder of large files that can be had again: `HERMES_CACHE`, else `hermes-rs` in
/// `XDG_CACHE_HOME` or `~/.cache`, else `None`.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the environment"
)]
pub fn cache() -> Option<PathBuf> {
    match std::env::var_os(CACHE) {
        Some(cache) if !cache.is_empty() => return Some(PathBuf::from(cache)),
        _ => {}
    }
    // The base directory specification: a relative path counts as unset.
    let base = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|base| base.is_absolute());
    let base = base.or_else(|| user_home().map(|home| home.join(".cache")));
    base.map(|base| base.join("hermes-rs"))
}

/// A variable as the system has it, Unicode or not; `None` if unset or empty.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the environment"
)]
pub fn os(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// What a model's engine gets of the environment: where things are, which devices it may use, no keys.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the environment"
)]
pub fn for_engine() -> Vec<(OsString, OsString)> {
    const NAMES: &[&str] = &[
        "PATH",
        "HOME",
        "USERPROFILE",
        "SYSTEMROOT",
        "LANG",
        "TMPDIR",
        "TEMP",
        "LD_LIBRARY_PATH",
        "DYLD_LIBRARY_PATH",
    ];
    // Devices and threads of the usual libraries.
    const PREFIXES: &[&str] = &["LC_", "CUDA_", "GGML_", "HIP_", "OMP_", "ROCR_", "VK_"];
    std::env::vars_os()
        .filter(|(name, _)| {
            name.to_str().is_some_and(|name| {
                NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
            })
        })
        .collect()
}
