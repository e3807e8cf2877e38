//! The few ways in which the folder of local models changes, with errors that name the place.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// Why a file of ours can't be had or changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DiskError {
    #[error("the disk of `{}` is full; make room or set `HERMES_CACHE` to a folder elsewhere", .folder.display())]
    Full { folder: PathBuf },
    #[error("`{}` has {} free and {} are needed; make room or set `HERMES_CACHE` to a folder elsewhere", .folder.display(), size(*.free), size(*.needed))]
    TooSmall {
        folder: PathBuf,
        free: u64,
        needed: u64,
    },
    #[error("`{}` can't be written ({error}); make it writable or set `HERMES_CACHE` to another folder", .folder.display())]
    NotWritable { folder: PathBuf, error: io::Error },
    #[error("`{}`: {error}", .path.display())]
    Other { path: PathBuf, error: io::Error },
}

impl DiskError {
    /// Explains an error that happened at a path.
    pub(crate) fn at(path: &Path, error: io::Error) -> Self {
        let folder = path.parent().unwrap_or(path).to_owned();
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::Full { folder },
            ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => {
                Self::NotWritable { folder, error }
            }
            _ => Self::Other {
                path: path.to_owned(),
                error,
            },
        }
    }
}

/// A size for people.
#[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{:.0} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.0} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// Makes a folder and those above it.
pub(crate) fn make_folder(folder: &Path) -> Result<(), DiskError> {
    // The name of the folder itself in messages, not of the one above.
    fs::create_dir_all(folder).map_err(|error| DiskError::at(&folder.join("."), error))
}

/// Refuses if there isn't room for so many bytes more; where that can't be told, it is tried.
pub(crate) fn check_room(folder: &Path, needed: u64) -> Result<(), DiskError> {
    #[cfg(unix)]
    if let Ok(room) = rustix::fs::statvfs(folder) {
        let free = room.f_bavail.saturating_mul(room.f_frsize);
        if free < needed {
            return Err(DiskError::TooSmall {
                folder: folder.to_owned(),
                free,
                needed,
            });
        }
    }
    Ok(())
}

/// Writes a small file whole or not at all.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let new = path.with_file_name(name);
    let written = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(&new)
        .and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&new, path));
    written.map_err(|error| {
        drop(remove_file(&new));
        DiskError::at(path, error)
    })
}

/// Puts a finished file or folder into its place; it is there whole or not at all.
pub(crate) fn put_in_place(from: &Path, to: &Path) -> Result<(), DiskError> {
    fs::rename(from, to).map_err(|error| DiskError::at(to, error))?;
    // A rename is lasting once its folder is on the disk; not every system can be asked for that.
    if let Some(folder) = to.parent()
        && let Ok(folder) = File::open(folder)
    {
        drop(folder.sync_all());
    }
    Ok(())
}

/// Removes a file that may be missing; gives the bytes that this frees.
#[expect(
    clippy::disallowed_methods,
    reason = "only files that were pulled, below the folder of local models"
)]
pub(crate) fn remove_file(path: &Path) -> Result<u64, DiskError> {
    let bytes = match path.symlink_metadata() {
        Ok(metadata) => metadata.len(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(DiskError::at(path, error)),
    };
    fs::remove_file(path).map_err(|error| DiskError::at(path, error))?;
    Ok(bytes)
}

/// Removes a folder that may be missing; gives the bytes that this frees.
#[expect(
    clippy::disallowed_methods,
    reason = "only folders that were pulled, below the folder of local models"
)]
pub(crate) fn remove_folder(folder: &Path) -> Result<u64, DiskError> {
    let bytes = bytes_below(folder);
    match fs::remove_dir_all(folder) {
        Ok(()) => Ok(bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
        Err(error) => Err(DiskError::at(folder, error)),
    }
}

/// Bytes of all files below a folder; links aren't followed.
pub(crate) fn bytes_below(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else {
        return 0;
    };
    entries
        .filter_map(Result::ok)
        .map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => bytes_below(&entry.path()),
            Ok(_) => entry.metadata().map_or(0, |metadata| metadata.len()),
            Err(_) => 0,
        })
        .sum()
}

/// A SHA-256 that grows.
#[derive(Clone)]
pub(crate) struct Checksum(ring::digest::Context);

impl Checksum {
    pub(crate) fn new() -> Self {
        Self(ring::digest::Context::new(&ring::digest::SHA256))
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Adds all that comes; gives its length.
    pub(crate) fn add_all(&mut self, source: &mut impl Read) -> io::Result<u64> {
        let mut buffer = vec![0; 256 * 1024];
        let mut total = 0;
        loop {
            match source.read(&mut buffer) {
                Ok(0) => return Ok(total),
                Ok(count) => {
                    self.add(&buffer[..count]);
                    total += count as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Lower-case hex.
    pub(crate) fn hex(self) -> String {
        let digits = b"0123456789abcdef";
        let digit = |nibble: u8| char::from(digits[usize::from(nibble)]);
        let mut text = String::with_capacity(64);
        for byte in self.0.finish().as_ref() {
            text.extend([digit(byte >> 4), digit(byte & 15)]);
        }
        text
    }
}

/// The checksum of a whole file.
pub(crate) fn checksum_of(path: &Path) -> Result<String, DiskError> {
    let mut checksum = Checksum::new();
    File::open(path)
        .and_then(|mut file| checksum.add_all(&mut file))
        .map_err(|error| DiskError::Other {
            path: path.to_owned(),
            error,
        })?;
    Ok(checksum.hex())
}
