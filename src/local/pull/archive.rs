//! Unpacks archives: names stay inside, sizes are bounded, nothing is written through a link.

use crate::local::store::disk::{Checksum, DiskError};
use flate2::read::GzDecoder;
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Component, Path, PathBuf};
use zip::ZipArchive;

/// Most that an archive may unpack to.
const MOST_BYTES: u64 = 2 * 1024 * 1024 * 1024;
const MOST_ENTRIES: usize = 20_000;

/// Why an archive isn't unpacked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArchiveError {
    #[error("the archive is damaged: {0}")]
    Damaged(io::Error),
    #[error("the archive holds `{name}`, which {fault}")]
    Entry { name: String, fault: &'static str },
    #[error("the archive unpacks to more than {0} bytes")]
    TooLarge(u64),
    #[error("the archive holds more than {MOST_ENTRIES} files")]
    TooMany,
    #[error("the archive holds no `{0}`")]
    Missing(String),
    #[error("`{entry}` in the archive has SHA-256 {actual} instead of {expected}")]
    WrongChecksum {
        entry: String,
        expected: String,
        actual: String,
    },
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// Unpacks a `.tar.gz` into a folder, which must be empty.
pub(super) fn unpack_tar_gz(archive: &Path, into: &Path) -> Result<(), ArchiveError> {
    unpack_tar(GzDecoder::new(open(archive)?), into, MOST_BYTES)
}

/// Unpacks what is below a folder of a zip archive.
pub(super) fn unpack_zip(archive: &Path, below: &str, into: &Path) -> Result<(), ArchiveError> {
    let mut archive = ZipArchive::new(open(archive)?).map_err(damaged)?;
    let mut target = Target::new(into, MOST_BYTES);
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(damaged)?;
        let whole = entry.name().to_owned();
        let Some(name) = whole.strip_prefix(below).filter(|name| !name.is_empty()) else {
            continue;
        };
        if entry.is_symlink() {
            return Err(fault(&whole, "is a link"));
        }
        if entry.is_dir() {
            target.folder(name)?;
        } else {
            let is_program = entry.unix_mode().is_some_and(|mode| mode & 0o111 != 0);
            target.file(name, is_program, &mut entry)?;
        }
    }
    target.finish()
}

/// Unpacks one file of a zip archive to a path, if it is what it should be.
pub(super) fn extract(
    archive: &Path,
    entry: &str,
    to: &Path,
    bytes: u64,
    sha256: &str,
) -> Result<(), ArchiveError> {
    let mut archive = ZipArchive::new(open(archive)?).map_err(damaged)?;
    let mut source = archive
        .by_name(entry)
        .map_err(|_| ArchiveError::Missing(entry.to_owned()))?;
    let at = |error| ArchiveError::Disk(DiskError::at(to, error));
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(to)
        .map_err(at)?;
    let mut writer = BufWriter::with_capacity(256 * 1024, file);
    let mut checksum = Checksum::new();
    // One byte more shows that it is too long.
    copy(&mut source, bytes + 1, |portion| {
        checksum.add(portion);
        writer.write_all(portion).map_err(at)
    })?;
    let file = writer
        .into_inner()
        .map_err(|error| at(error.into_error()))?;
    file.sync_all().map_err(at)?;
    let actual = checksum.hex();
    if actual != sha256 {
        return Err(ArchiveError::WrongChecksum {
            entry: entry.to_owned(),
            expected: sha256.to_owned(),
            actual,
        });
    }
    Ok(())
}

fn unpack_tar(source: impl Read, into: &Path, most: u64) -> Result<(), ArchiveError> {
    // Heads and padding count as well: a stream of empty entries ends, too.
    let mut archive = tar::Archive::new(source.take(most));
    let mut target = Target::new(into, most);
    for entry in archive.entries().map_err(ArchiveError::Damaged)? {
        let mut entry = entry.map_err(ArchiveError::Damaged)?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        match entry.header().entry_type() {
            tar::EntryType::Directory => target.folder(&name)?,
            tar::EntryType::Regular | tar::EntryType::Continuous => {
                let mode = entry.header().mode().map_err(ArchiveError::Damaged)?;
                target.file(&name, mode & 0o111 != 0, &mut entry)?;
            }
            tar::EntryType::Symlink => {
                let to = entry.link_name_bytes().unwrap_or_default();
                let to = String::from_utf8_lossy(&to).into_owned();
                target.link(&name, to)?;
            }
            // Comments on the archive as a whole.
            tar::EntryType::XGlobalHeader => {}
            _ => return Err(fault(&name, "is neither file, folder nor link")),
        }
    }
    target.finish()
}

/// A folder that is being filled.
struct Target<'t> {
    folder: &'t Path,
    left: u64,
    most: u64,
    entries: usize,
    folders: BTreeSet<PathBuf>,
    /// Made last: no file is then written through one.
    links: Vec<(String, PathBuf, String)>,
}

impl<'t> Target<'t> {
    fn new(folder: &'t Path, most: u64) -> Self {
        Self {
            folder,
            left: most,
            most,
            entries: 0,
            folders: BTreeSet::new(),
            links: Vec::new(),
        }
    }

    /// Where an entry goes: below the folder, or nowhere. `None` is the folder itself.
    fn place(&mut self, name: &str) -> Result<Option<PathBuf>, ArchiveError> {
        self.entries += 1;
        if self.entries > MOST_ENTRIES {
            return Err(ArchiveError::TooMany);
        }
        let inside = inside(name)?;
        Ok((!inside.as_os_str().is_empty()).then(|| self.folder.join(inside)))
    }

    fn folder(&mut self, name: &str) -> Result<(), ArchiveError> {
        match self.place(name)? {
            Some(path) => self.make(&path),
            None => Ok(()),
        }
    }

    fn make(&mut self, folder: &Path) -> Result<(), ArchiveError> {
        if self.folders.insert(folder.to_owned()) {
            fs::create_dir_all(folder).map_err(|error| DiskError::at(folder, error))?;
        }
        Ok(())
    }

    fn file(
        &mut self,
        name: &str,
        is_program: bool,
        source: &mut impl Read,
    ) -> Result<(), ArchiveError> {
        let path = self
            .place(name)?
            .ok_or_else(|| fault(name, "has no name"))?;
        self.make(path.parent().unwrap_or(self.folder))?;
        let at = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => fault(name, "is there twice"),
            _ => ArchiveError::Disk(DiskError::at(&path, error)),
        };
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            // No more than that: neither set-user-id nor writable for others.
            options.mode(if is_program { 0o755 } else { 0o644 });
        }
        #[cfg(not(unix))]
        let _ = is_program;
        let mut file = options.open(&path).map_err(at)?;
        let copied = copy(source, self.left + 1, |portion| {
            file.write_all(portion).map_err(at)
        })?;
        match self.left.checked_sub(copied) {
            Some(left) => self.left = left,
            None => return Err(ArchiveError::TooLarge(self.most)),
        }
        Ok(())
    }

    fn link(&mut self, name: &str, to: String) -> Result<(), ArchiveError> {
        let path = self
            .place(name)?
            .ok_or_else(|| fault(name, "has no name"))?;
        // With `..` a chain of links could lead out, though each alone seems to stay inside.
        if inside(&to).is_err() || to.is_empty() {
            return Err(fault(name, "is a link to a place outside"));
        }
        self.links.push((name.to_owned(), path, to));
        Ok(())
    }

    fn finish(mut self) -> Result<(), ArchiveError> {
        for (name, path, to) in std::mem::take(&mut self.links) {
            self.make(path.parent().unwrap_or(self.folder))?;
            #[cfg(unix)]
            std::os::unix::fs::symlink(&to, &path).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => fault(&name, "is there twice"),
                _ => ArchiveError::Disk(DiskError::at(&path, error)),
            })?;
            #[cfg(not(unix))]
            return Err(fault(&format!("{name} ({to})"), "is a link"));
        }
        Ok(())
    }
}

/// A relative path of plain names; `.` is left out.
fn inside(name: &str) -> Result<PathBuf, ArchiveError> {
    // Backslashes are separators on Windows; a name of ours never has one.
    if name.contains(['\\', '\0']) {
        return Err(fault(name, "has a name that no file should have"));
    }
    let mut path = PathBuf::new();
    for part in Path::new(name).components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                return Err(fault(name, "would lie outside of its folder"));
            }
        }
    }
    Ok(path)
}

/// Copies at most `most` bytes; gives how many there were.
fn copy(
    source: &mut impl Read,
    most: u64,
    mut write: impl FnMut(&[u8]) -> Result<(), ArchiveError>,
) -> Result<u64, ArchiveError> {
    let mut source = source.take(most);
    let mut buffer = vec![0; 128 * 1024];
    let mut copied = 0;
    loop {
        match source.read(&mut buffer) {
            Ok(0) => return Ok(copied),
            Ok(count) => {
                write(&buffer[..count])?;
                copied += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(ArchiveError::Damaged(error)),
        }
    }
}

fn open(archive: &Path) -> Result<BufReader<File>, ArchiveError> {
    let file = File::open(archive).map_err(|error| DiskError::at(archive, error))?;
    Ok(BufReader::with_capacity(128 * 1024, file))
}

fn damaged(error: zip::result::ZipError) -> ArchiveError {
    ArchiveError::Damaged(error.into())
}

fn fault(name: &str, fault: &'static str) -> ArchiveError {
    ArchiveError::Entry {
        name: crate::term::one_line(name, 100),
        fault,
    }
}

#[cfg(test)]
mod tests;
