//! A file over HTTPS, of known size and checksum, taken up where an earlier attempt stopped.

use super::error::{Fault, PullError};
use super::event::{Event, Sink};
use super::fetch;
use super::plan::host_of;
use crate::local::store::disk::{self, Checksum, DiskError};
use crate::provider::ProxySettings;
use crate::provider::endpoint::shown;
use http_body_util::BodyExt;
use hyper::header::{CONTENT_LENGTH, CONTENT_RANGE};
use hyper::{Response, StatusCode, Uri};
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long to wait for others.
#[derive(Debug, Clone)]
pub(crate) struct Patience {
    /// For a connection, TLS and proxy included.
    pub(crate) connect: Duration,
    /// For the head of an answer, and between two portions of its body.
    pub(crate) stall: Duration,
    /// Retries in a row that bring nothing new.
    pub(crate) retries: u32,
    /// Before the first retry; doubled for each one after it.
    pub(crate) backoff: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            stall: Duration::from_secs(30),
            retries: 5,
            backoff: Duration::from_secs(1),
        }
    }
}

/// What to get.
#[derive(Debug, Clone, Copy)]
pub(super) struct Download<'d> {
    pub(super) what: &'d str,
    pub(super) url: &'d str,
    pub(super) bytes: u64,
    pub(super) sha256: &'d str,
}

/// Less than this isn't counted as progress: a server that sends a byte per connection isn't to
/// be asked millions of times.
const PROGRESS: u64 = 64 * 1024;

/// Gets a file into `folder`; gives its path there. The caller holds the lock of the item.
pub(super) async fn download(
    wanted: &Download<'_>,
    folder: &Path,
    proxies: &ProxySettings,
    patience: &Patience,
    events: Sink<'_>,
) -> Result<PathBuf, Fault> {
    let had_a_part = folder
        .join(format!("{}.part", wanted.sha256))
        .metadata()
        .is_ok_and(|metadata| metadata.len() > 0);
    match attempt(wanted, folder, proxies, patience, events).await {
        // What was there from before may be what is wrong; it is gone now.
        Err(Fault::Fail(PullError::WrongChecksum { .. })) if had_a_part => {
            attempt(wanted, folder, proxies, patience, events).await
        }
        other => other,
    }
}

async fn attempt(
    wanted: &Download<'_>,
    folder: &Path,
    proxies: &ProxySettings,
    patience: &Patience,
    events: Sink<'_>,
) -> Result<PathBuf, Fault> {
    let parsed = wanted.url.parse::<Uri>();
    let url = parsed.map_or_else(|_| host_of(wanted.url), |url| shown(&url));
    disk::make_folder(folder)?;
    let mut part = Part::open(folder, wanted).await?;
    disk::check_room(folder, wanted.bytes - part.length)?;
    // Said once something comes: a source that is of no use is only passed over.
    let mut start = Some(Event::Started {
        what: wanted.what.to_owned(),
        source: host_of(wanted.url),
        bytes: wanted.bytes,
        resumed_at: part.length,
    });
    let (mut best, mut idle) = (part.length, 0);
    while part.length < wanted.bytes {
        let transferred = transfer(wanted, &mut part, proxies, patience, &mut start, events).await;
        let broken = match transferred {
            Ok(()) if part.length == wanted.bytes => break,
            Ok(()) => "the answer ended early".to_owned(),
            Err(Broken::Refused(why)) if start.is_some() => {
                part.discard_if_empty()?;
                return Err(Fault::Skip(why));
            }
            Err(Broken::Refused(why) | Broken::Cut(why)) => why,
            Err(Broken::TooLong) => {
                part.discard()?;
                return Err(Fault::Fail(PullError::TooLong {
                    what: wanted.what.to_owned(),
                    url,
                    bytes: wanted.bytes,
                }));
            }
            Err(Broken::Disk(error)) => return Err(error.into()),
        };
        if part.length >= best + PROGRESS {
            (best, idle) = (part.length, 0);
        }
        if idle == patience.retries {
            if part.length == 0 {
                part.discard_if_empty()?;
                return Err(Fault::Skip(broken));
            }
            return Err(Fault::Fail(PullError::Cut {
                what: wanted.what.to_owned(),
                url,
                why: broken,
                there: part.length,
                bytes: wanted.bytes,
            }));
        }
        let wait = patience.backoff * 2_u32.saturating_pow(idle);
        idle += 1;
        events(Event::Retrying { why: broken, wait });
        tokio::time::sleep(wait).await;
    }
    let path = part.finish(wanted, &url).await?;
    events(Event::Verified {
        what: wanted.what.to_owned(),
    });
    Ok(path)
}

/// How a transfer ends before its time.
enum Broken {
    /// There is nothing to be had there, now or at all.
    Refused(String),
    Cut(String),
    TooLong,
    Disk(DiskError),
}

/// Asks once, and writes what comes.
async fn transfer(
    wanted: &Download<'_>,
    part: &mut Part,
    proxies: &ProxySettings,
    patience: &Patience,
    start_event: &mut Option<Event>,
    events: Sink<'_>,
) -> Result<(), Broken> {
    let mut answer = fetch::get(wanted.url, part.length, proxies, patience)
        .await
        .map_err(Broken::Refused)?;
    let response = &mut answer.response;
    let start = match response.status() {
        StatusCode::OK => 0,
        StatusCode::PARTIAL_CONTENT if is_range(response, part.length, wanted.bytes) => part.length,
        StatusCode::PARTIAL_CONTENT | StatusCode::RANGE_NOT_SATISFIABLE if part.length > 0 => {
            part.start_over().map_err(Broken::Disk)?;
            events(Event::Bytes(0));
            return Err(Broken::Cut("it can't go on in the middle".to_owned()));
        }
        status => return Err(Broken::Refused(format!("it answers {status}"))),
    };
    // A page that asks for a login, for example.
    if let Some(length) = length_of(response)
        && length != wanted.bytes - start
    {
        let expected = wanted.bytes - start;
        return Err(Broken::Refused(format!(
            "it sends {length} bytes where {expected} are expected"
        )));
    }
    if let Some(event) = start_event.take() {
        events(event);
    }
    if start != part.length {
        part.start_over().map_err(Broken::Disk)?;
    }
    events(Event::Bytes(part.length));
    loop {
        let frame = tokio::time::timeout(patience.stall, response.body_mut().frame())
            .await
            .map_err(|_| Broken::Cut(format!("nothing came for {} s", patience.stall.as_secs())))?;
        let frame = match frame {
            None => return Ok(()),
            Some(Ok(frame)) => frame,
            Some(Err(error)) => {
                let text = crate::provider::connect_error::deepest(&error);
                return Err(Broken::Cut(crate::term::one_line(&text, 200)));
            }
        };
        let Ok(bytes) = frame.into_data() else {
            continue;
        };
        if part.length + bytes.len() as u64 > wanted.bytes {
            return Err(Broken::TooLong);
        }
        part.write(&bytes).map_err(Broken::Disk)?;
        events(Event::Bytes(part.length));
    }
}

fn length_of<B>(response: &Response<B>) -> Option<u64> {
    let length = response.headers().get(CONTENT_LENGTH)?;
    length.to_str().ok()?.parse().ok()
}

/// Whether an answer says that it goes from `start` to the end of what is wanted.
fn is_range<B>(response: &Response<B>, start: u64, bytes: u64) -> bool {
    let range = || {
        let range = response.headers().get(CONTENT_RANGE)?.to_str().ok()?;
        let (range, total) = range.strip_prefix("bytes ")?.split_once('/')?;
        let (first, last) = range.split_once('-')?;
        Some((
            first.parse::<u64>().ok()?,
            last.parse::<u64>().ok()?,
            total == "*" || total.parse() == Ok(bytes),
        ))
    };
    start > 0
        && range().is_some_and(|(first, last, fits)| first == start && last + 1 == bytes && fits)
}

/// A file that isn't whole yet, with the checksum of what is there.
struct Part {
    path: PathBuf,
    file: File,
    checksum: Checksum,
    length: u64,
}

impl Part {
    /// Opens or makes it; what is there is read once, for the checksum.
    async fn open(folder: &Path, wanted: &Download<'_>) -> Result<Self, DiskError> {
        let path = folder.join(format!("{}.part", wanted.sha256));
        let most = wanted.bytes;
        let at = path.clone();
        let opened = blocking(move || {
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)?;
            if file.metadata()?.len() > most {
                file.set_len(0)?;
            }
            let mut checksum = Checksum::new();
            let length = checksum.add_all(&mut file)?;
            Ok(Self {
                path,
                file,
                checksum,
                length,
            })
        });
        opened.await.map_err(|error| DiskError::at(&at, error))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), DiskError> {
        if let Err(error) = self.file.write_all(bytes) {
            // A portion may be there in part, which the checksum doesn't know of.
            drop(self.file.set_len(self.length));
            return Err(DiskError::at(&self.path, error));
        }
        self.checksum.add(bytes);
        self.length += bytes.len() as u64;
        Ok(())
    }

    fn start_over(&mut self) -> Result<(), DiskError> {
        let emptied = self
            .file
            .set_len(0)
            .and_then(|()| self.file.seek(SeekFrom::Start(0)));
        emptied.map_err(|error| DiskError::at(&self.path, error))?;
        self.checksum = Checksum::new();
        self.length = 0;
        Ok(())
    }

    fn discard(self) -> Result<(), DiskError> {
        drop(self.file);
        disk::remove_file(&self.path).map(drop)
    }

    fn discard_if_empty(self) -> Result<(), DiskError> {
        if self.length == 0 {
            self.discard()?;
        }
        Ok(())
    }

    /// Checks it and makes it lasting.
    async fn finish(self, wanted: &Download<'_>, url: &str) -> Result<PathBuf, Fault> {
        let actual = self.checksum.clone().hex();
        if actual != wanted.sha256 {
            self.discard()?;
            return Err(Fault::Fail(PullError::WrongChecksum {
                what: wanted.what.to_owned(),
                url: url.to_owned(),
                expected: wanted.sha256.to_owned(),
                actual,
            }));
        }
        let Self { path, file, .. } = self;
        blocking(move || file.sync_all())
            .await
            .map_err(|error| DiskError::at(&path, error))?;
        Ok(path)
    }
}

/// Runs what may take a while on the disk beside the runtime's own threads.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> std::io::Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(std::io::Error::other(error)))
}

#[cfg(test)]
mod tests;
