use std::path::PathBuf;
use std::time::Duration;

/// What happens while something is pulled, for people to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Event {
    /// It is there already.
    Present { what: String, path: PathBuf },
    /// Another process is at it.
    Waiting { what: String },
    /// A transfer begins, or goes on where an earlier one stopped.
    Started {
        what: String,
        source: String,
        bytes: u64,
        resumed_at: u64,
    },
    /// So many bytes of the item are here, those of earlier transfers included.
    Bytes(u64),
    /// A transfer broke and will be taken up again.
    Retrying { why: String, wait: Duration },
    /// What came is what the catalogue says.
    Verified { what: String },
    /// A source is of no use; the next one is tried.
    Skipped { source: String, why: String },
    /// A build begins.
    BuildStarted { what: String, about_minutes: u32 },
    /// What a build says.
    Building(String),
    /// It is in its place.
    Installed { what: String, path: PathBuf },
}

/// Takes events.
pub(super) type Sink<'s> = &'s mut (dyn FnMut(Event) + Send);
