//! What a lease and its keeper say to each other: a JSON value a line.

use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, ErrorKind};

/// Longest line. A keeper reads from whoever connects.
const LONGEST: u64 = 64 * 1024;

/// From a process to the keeper.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Ask {
    /// First: who knows the token may speak.
    Hello { token: String },
    /// A question is about to be asked.
    Begin,
    /// It is answered.
    End,
    /// An orderly goodbye.
    Bye,
    /// Stop the engine and end.
    Stop,
}

/// From the keeper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Say {
    Welcome,
    /// The engine is being started.
    Starting,
    /// It answers there.
    Ready {
        base_url: String,
        api_key: String,
    },
    /// It can't be had.
    Failed {
        message: String,
    },
}

/// What a new keeper tells its starter.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Born {
    /// It listens there.
    At {
        port: u16,
        token: String,
    },
    /// Another keeper has the server.
    Taken,
    Failed {
        message: String,
    },
}

/// A value as a line.
pub(super) fn line<T: Serialize>(value: &T) -> Vec<u8> {
    // These types always serialise.
    let mut line = serde_json::to_vec(value).unwrap_or_default();
    line.push(b'\n');
    line
}

/// The next line as a value; `None` at the end.
///
/// # Errors
/// No such value, or a line that doesn't end.
pub(super) fn read<T: for<'de> Deserialize<'de>>(from: &mut impl BufRead) -> io::Result<Option<T>> {
    use std::io::Read as _;
    let mut line = Vec::new();
    from.take(LONGEST).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') {
        return Err(io::Error::new(ErrorKind::InvalidData, "half a line"));
    }
    serde_json::from_slice(&line)
        .map(Some)
        .map_err(io::Error::from)
}
