use hermes_runtime::env;
use std::path::{Path, PathBuf};

/// Where engines and weights are kept: one place per user, whatever `HERMES_HOME` is, since they are
/// large and the same for every home.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Folders {
    root: PathBuf,
}

impl Folders {
    /// The folder that the environment names; `None` without `HERMES_CACHE` and without a home.
    pub(crate) fn of_user() -> Option<Self> {
        // A server that runs is known by the whole path of its weights.
        env::cache().map(|root| Self::at(&std::path::absolute(&root).unwrap_or(root)))
    }

    /// A given folder; it need not exist.
    pub(crate) fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// One folder per engine.
    pub(crate) fn engines(&self) -> PathBuf {
        self.root.join("engines")
    }

    /// Weights, `NAME.gguf`, with what is known about each beside it.
    pub(crate) fn models(&self) -> PathBuf {
        self.root.join("models")
    }

    /// Downloads that aren't whole yet.
    pub(crate) fn downloads(&self) -> PathBuf {
        self.root.join("downloads")
    }

    /// What is known about running servers.
    pub(crate) fn run(&self) -> PathBuf {
        self.root.join("run")
    }
}
