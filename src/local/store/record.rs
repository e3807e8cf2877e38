//! What is written down beside pulled files: `NAME.json` beside weights, `engine.json` in the
//! folder of an engine.

use super::disk::{self, DiskError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Raised when a field changes its meaning.
const FORMAT: u32 = 1;

/// Says that weights were checked when they had this size and this time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    format: u32,
    pub(super) sha256: String,
    bytes: u64,
    /// Nanoseconds since 1970.
    modified: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) licence: Option<String>,
}

impl Stamp {
    /// A stamp for a file as it is now.
    pub(super) fn of(path: &Path, sha256: &str, licence: Option<&str>) -> Result<Self, DiskError> {
        let (bytes, modified) = state_of(path)?;
        Ok(Self {
            format: FORMAT,
            sha256: sha256.to_owned(),
            bytes,
            modified,
            licence: licence.map(str::to_owned),
        })
    }

    /// Whether a file has neither size nor time changed since.
    pub(super) fn still_holds(&self, path: &Path) -> Result<bool, DiskError> {
        Ok(state_of(path)? == (self.bytes, self.modified))
    }

    /// `None` if it is missing or damaged: the file is then checked anew.
    pub(super) fn read(weights: &Path) -> Option<Self> {
        read(&weights.with_extension("json")).filter(|stamp: &Self| stamp.format == FORMAT)
    }

    pub(super) fn write(&self, weights: &Path) -> Result<(), DiskError> {
        write(&weights.with_extension("json"), self)
    }
}

/// What is known of an installed engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EngineRecord {
    pub(crate) format: u32,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) licence: String,
    /// The program within the folder.
    pub(crate) program: String,
    pub(crate) os: String,
    pub(crate) arch: String,
    /// What the processor must have: of an engine that was built here, all that this one has.
    pub(crate) features: Vec<String>,
    pub(crate) built_here: bool,
    /// Seconds since 1970.
    pub(crate) installed: u64,
}

impl EngineRecord {
    pub(crate) const FORMAT: u32 = FORMAT;

    pub(super) fn read(folder: &Path) -> Option<Self> {
        read(&folder.join("engine.json")).filter(|record: &Self| record.format == FORMAT)
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<(), DiskError> {
        write(&folder.join("engine.json"), self)
    }
}

fn state_of(path: &Path) -> Result<(u64, u64), DiskError> {
    let at = |error| DiskError::Other {
        path: path.to_owned(),
        error,
    };
    let metadata = path.metadata().map_err(at)?;
    let modified = metadata.modified().map_err(at)?;
    let modified = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok((
        metadata.len(),
        u64::try_from(modified.as_nanos()).unwrap_or(u64::MAX),
    ))
}

fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    const MOST: u64 = 64 * 1024;
    let metadata = path.metadata().ok()?;
    if !metadata.is_file() || metadata.len() > MOST {
        return None;
    }
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

fn write<T: Serialize>(path: &Path, value: &T) -> Result<(), DiskError> {
    let mut text = serde_json::to_vec_pretty(value).map_err(|error| DiskError::Other {
        path: path.to_owned(),
        error: error.into(),
    })?;
    text.push(b'\n');
    disk::write_whole(path, &text)
}
