//! Which servers run, for other processes of the same user.

use super::protocol::{Ask, Say, line, read};
use crate::local::Folders;
use serde::{Deserialize, Serialize};
use std::fs::{self, OpenOptions};
use std::io::{self, BufReader, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One keeper, as its file tells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) weights: PathBuf,
    pub(super) pid: u32,
    pub(super) port: u16,
    pub(super) token: String,
}

/// A server that runs, or sleeps and will wake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Running {
    pub(crate) weights: PathBuf,
    /// The keeper's process.
    pub(crate) pid: u32,
}

impl Record {
    pub(super) fn path(folder: &Path, key: &str) -> PathBuf {
        folder.join(format!("{key}.json"))
    }

    pub(super) fn load(path: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    /// Whole or not at all, and for this user's eyes only: the token is in it.
    pub(super) fn save(&self, path: &Path) -> io::Result<()> {
        let beside = path.with_extension(format!("{}.new", std::process::id()));
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let written = options
            .open(&beside)
            .and_then(|mut file| file.write_all(&line(self)))
            .and_then(|()| fs::rename(&beside, path));
        if written.is_err() {
            remove(&beside);
        }
        written
    }

    /// Connects; `None` if no such keeper is there any more.
    pub(super) fn connect(&self) -> Option<TcpStream> {
        connect(self.port, &self.token)
    }
}

/// A connection to a keeper that took the token.
pub(super) fn connect(port: u16, token: &str) -> Option<TcpStream> {
    let patience = Duration::from_secs(5);
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = TcpStream::connect_timeout(&address, patience).ok()?;
    stream.set_nodelay(true).ok()?;
    stream.set_read_timeout(Some(patience)).ok()?;
    let hello = Ask::Hello {
        token: token.to_owned(),
    };
    stream.write_all(&line(&hello)).ok()?;
    // Nothing follows the welcome unasked, so the reader holds nothing back.
    let said: Option<Say> = read(&mut BufReader::new(&stream)).ok()?;
    stream.set_read_timeout(None).ok()?;
    (said == Some(Say::Welcome)).then_some(stream)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the keeper's own note about itself"
)]
pub(super) fn remove(path: &Path) {
    // It may be gone already.
    drop(fs::remove_file(path));
}

fn records(folder: &Path) -> Vec<Record> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    paths.sort();
    paths.iter().filter_map(|path| Record::load(path)).collect()
}

/// The servers of this user that are there now.
pub(crate) fn running(folders: &Folders) -> Vec<Running> {
    records(&folders.run())
        .into_iter()
        .filter(|record| {
            record.connect().is_some_and(|mut stream| {
                // A visit, not a lease: its end must not count as a crash.
                stream.write_all(&line(&Ask::Bye)).is_ok()
            })
        })
        .map(|record| Running {
            weights: record.weights,
            pid: record.pid,
        })
        .collect()
}

/// Ends the servers of these weights; returns how many there were.
pub(crate) fn stop(folders: &Folders, weights: &Path) -> usize {
    records(&folders.run())
        .into_iter()
        .filter(|record| record.weights == weights)
        .filter_map(|record| record.connect())
        .filter_map(|mut stream| {
            stream.write_all(&line(&Ask::Stop)).ok()?;
            // Until the keeper is gone, so that what follows finds the weights free.
            stream
                .set_read_timeout(Some(Duration::from_secs(10)))
                .ok()?;
            io::copy(&mut stream, &mut io::sink()).ok()
        })
        .count()
}
