//! One pull of an item at a time, over all processes.

use super::event::{Event, Sink};
use crate::local::store::disk::{self, DiskError};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

/// Held while an item is pulled; let go when dropped, also by a process that dies.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "holds the lock while it is open")] File);

impl Lock {
    /// Waits until nobody else pulls the item.
    pub(super) async fn of(folder: &Path, item: &str, events: Sink<'_>) -> Result<Self, DiskError> {
        disk::make_folder(folder)?;
        // It stays: a file that is removed can be locked once by its old holder and once anew.
        let path = folder.join(format!("{item}.lock"));
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|error| DiskError::at(&path, error))?;
        let mut is_told = false;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self(file)),
                Err(TryLockError::WouldBlock) => {
                    if !is_told {
                        events(Event::Waiting {
                            what: item.to_owned(),
                        });
                        is_told = true;
                    }
                    // Not the blocking call: this wait ends when the future is dropped.
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
                // Some network file systems have no locks; two pulls there are unlikely.
                Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {
                    return Ok(Self(file));
                }
                Err(TryLockError::Error(error)) => return Err(DiskError::at(&path, error)),
            }
        }
    }
}
