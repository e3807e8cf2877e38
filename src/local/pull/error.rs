use super::archive::ArchiveError;
use crate::local::store::disk::{DiskError, size};

/// Why something can't be pulled.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PullError {
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error("{what}: the download from {url} broke off at {} of {} ({why}); run the same command again to go on there", size(*.there), size(*.bytes))]
    Cut {
        what: String,
        url: String,
        why: String,
        there: u64,
        bytes: u64,
    },
    #[error(
        "{what}: what {url} sends has SHA-256 {actual} instead of {expected}; it was deleted, nothing was installed; run the same command again, and if that ends the same, don't trust this source"
    )]
    WrongChecksum {
        what: String,
        url: String,
        expected: String,
        actual: String,
    },
    #[error(
        "{what}: {url} sends more than the {bytes} bytes that it should; it was deleted, nothing was installed"
    )]
    TooLong {
        what: String,
        url: String,
        bytes: u64,
    },
    #[error("{what}: {error}; nothing was installed")]
    Archive { what: String, error: ArchiveError },
    #[error("no {what} could be pulled")]
    NoSource {
        what: &'static str,
        /// Each source with what is wrong with it.
        tried: Vec<(String, String)>,
    },
}

impl PullError {
    /// What was tried, a line each.
    pub(crate) fn hints(&self) -> Vec<String> {
        match self {
            Self::NoSource { tried, .. } => tried
                .iter()
                .map(|(source, why)| format!("{source}: {why}"))
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// How one way of getting something ends when it doesn't work.
#[derive(Debug)]
pub(super) enum Fault {
    /// The next way may work.
    Skip(String),
    /// No other way would help, or none should be taken.
    Fail(PullError),
}

impl From<DiskError> for Fault {
    fn from(error: DiskError) -> Self {
        Self::Fail(error.into())
    }
}
