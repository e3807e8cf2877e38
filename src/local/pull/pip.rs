//! The Python package index, through the user's own pip: it knows mirrors, certificates and
//! passwords. Packages are named with version and checksum; only a build runs code of theirs.

use crate::local::catalog::Package;
use crate::local::program::{self, Ended, Run};
use crate::local::store::disk::{self, DiskError};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::sync::Notify;

/// What the source is called.
pub(super) const INDEX: &str = "the Python package index";

const DOWNLOAD_LIMIT: Duration = Duration::from_hours(1);
/// Slow machines take far longer than two cores of a server.
const BUILD_LIMIT: Duration = Duration::from_hours(6);

/// A Python to run pip with.
#[derive(Debug)]
pub(super) struct Pip {
    python: PathBuf,
}

/// Why pip didn't do it.
#[derive(Debug, thiserror::Error)]
pub(super) enum PipError {
    #[error("there is no `python3` on the `PATH` to ask it with")]
    NoPython,
    #[error("`python3` has no pip; install it (python3-pip)")]
    NoPip,
    #[error("pip says: {0}")]
    Pip(String),
    #[error("pip took longer than {} minutes", .0.as_secs() / 60)]
    TooSlow(Duration),
    #[error("pip can't be run: {0}")]
    Run(io::Error),
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// What asking for a wheel gives.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Located {
    /// An address that we can download from ourselves.
    Address(String),
    /// Only pip can: the address needs a password, is a file's, or there is a choice of several.
    ByPip,
    /// Pip was quicker, and the wheel is here.
    File(PathBuf),
}

impl Pip {
    pub(super) fn find(path: Option<&OsStr>) -> Result<Self, PipError> {
        let python = program::find("python3", path).ok_or(PipError::NoPython)?;
        Ok(Self { python })
    }

    /// Where a wheel can be downloaded from, by the user's configuration.
    ///
    /// `pip install --dry-run --report` would say it in JSON; but to check a hash, and before
    /// version 23.3 in any case, it fetches the whole wheel first. So a download is begun, and ended
    /// as soon as it has said what it found.
    pub(super) async fn locate(
        &self,
        package: &Package,
        scratch: &Path,
    ) -> Result<Located, PipError> {
        let out = fresh(scratch, "out")?;
        let run = self.download_run(package, "-vv", &out, scratch)?;
        let mut links = Links::of(package);
        let stop = Notify::new();
        let ended = {
            let mut on_line = |line: &str| {
                if links.see(line) {
                    stop.notify_one();
                }
            };
            tokio::select! {
                ended = finish(run, DOWNLOAD_LIMIT, &mut on_line) => Some(ended),
                () = stop.notified() => None,
            }
        };
        match ended {
            Some(Ok(())) => Ok(Located::File(only_file(&out)?)),
            Some(Err(error)) => Err(error),
            None => Ok(links.address().map_or(Located::ByPip, Located::Address)),
        }
    }

    /// Downloads a wheel by pip itself: no progress, but all that pip knows about the way to it.
    pub(super) async fn download(
        &self,
        package: &Package,
        scratch: &Path,
    ) -> Result<PathBuf, PipError> {
        let out = fresh(scratch, "out")?;
        let run = self.download_run(package, "-q", &out, scratch)?;
        finish(run, DOWNLOAD_LIMIT, &mut |_| {}).await?;
        only_file(&out)
    }

    fn download_run(
        &self,
        package: &Package,
        words: &str,
        out: &Path,
        scratch: &Path,
    ) -> Result<Run, PipError> {
        let requirements = requirements(package, scratch)?;
        let run = self.run(scratch).args(["download", words, "--no-deps"]);
        Ok(run
            .args(["--require-hashes", "--only-binary", ":all:", "-d"])
            .args([out, Path::new("-r"), &requirements]))
    }

    /// Builds a wheel from source; not with pip's cache, which would give back a wheel that was
    /// built with other settings, or for another processor. Runs the package's code, and that of what it builds with.
    pub(super) async fn build(
        &self,
        package: &Package,
        settings: &[(&str, String)],
        scratch: &Path,
        on_line: &mut (dyn FnMut(&str) + Send),
    ) -> Result<PathBuf, PipError> {
        let requirements = requirements(package, scratch)?;
        let name = package.requirement.split("==").next().unwrap_or_default();
        let out = fresh(scratch, "out")?;
        let run = self.run(scratch).args([
            "wheel",
            "-v",
            "--no-cache-dir",
            "--no-deps",
            "--require-hashes",
        ]);
        let mut run = run.args(["--no-binary", name, "-w"]).args([
            out.as_path(),
            Path::new("-r"),
            &requirements,
        ]);
        for (name, value) in settings {
            run = run.env(name, value);
        }
        finish(run, BUILD_LIMIT, on_line).await?;
        only_file(&out)
    }

    fn run(&self, scratch: &Path) -> Run {
        Run::new(&self.python)
            .folder(scratch)
            .args(["-m", "pip"])
            .env("PIP_DISABLE_PIP_VERSION_CHECK", "1")
            .env("PIP_NO_INPUT", "1")
            .env("PIP_NO_COLOR", "1")
            .env("PIP_PROGRESS_BAR", "off")
            // Nothing is installed anywhere.
            .env("PIP_REQUIRE_VIRTUALENV", "0")
            .env("LC_ALL", "C.UTF-8")
            // What pip leaves when it is killed goes with the scratch folder.
            .env("TMPDIR", scratch)
    }
}

/// The links that pip says it found for a version.
struct Links {
    name: String,
    version: String,
    found: BTreeSet<String>,
}

impl Links {
    fn of(package: &Package) -> Self {
        let (name, version) = package.requirement.split_once("==").unwrap_or_default();
        Self {
            name: name.to_owned(),
            version: version.to_owned(),
            found: BTreeSet::new(),
        }
    }

    /// Takes a line; whether all links were told and the download begins.
    fn see(&mut self, line: &str) -> bool {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("Found link ") {
            let is_it = rest.rsplit_once(", version: ");
            if is_it.is_some_and(|(_, version)| version == self.version) {
                let url = rest.split([' ', '#']).next().unwrap_or_default();
                self.found.insert(url.to_owned());
            }
        }
        line.strip_prefix("Collecting ")
            .is_some_and(|rest| rest.starts_with(&self.name))
    }

    /// The only one, if it can be used without what pip knows: of an address with a password pip
    /// shows the password as stars.
    fn address(mut self) -> Option<String> {
        let url = self.found.pop_first()?;
        let rest = url
            .strip_prefix("https://")
            .or_else(|| url.strip_prefix("http://"))?;
        let host = rest.split('/').next()?;
        (self.found.is_empty() && !host.contains('@')).then_some(url)
    }
}

/// Writes down which package it must be.
fn requirements(package: &Package, scratch: &Path) -> Result<PathBuf, PipError> {
    let path = scratch.join("requirements.txt");
    let line = format!("{} --hash=sha256:{}\n", package.requirement, package.sha256);
    disk::write_whole(&path, line.as_bytes())?;
    Ok(path)
}

fn fresh(scratch: &Path, name: &str) -> Result<PathBuf, PipError> {
    let folder = scratch.join(name);
    disk::remove_folder(&folder)?;
    disk::make_folder(&folder)?;
    Ok(folder)
}

async fn finish(
    run: Run,
    limit: Duration,
    on_line: &mut (dyn FnMut(&str) + Send),
) -> Result<(), PipError> {
    let ended: Ended = run
        .complete(limit, on_line)
        .await
        .map_err(|error| match error.kind() {
            io::ErrorKind::TimedOut => PipError::TooSlow(limit),
            _ => PipError::Run(error),
        })?;
    if ended.status.success() {
        return Ok(());
    }
    if ended
        .lines
        .iter()
        .any(|line| line.ends_with("No module named pip"))
    {
        return Err(PipError::NoPip);
    }
    Err(PipError::Pip(ended.complaint()))
}

/// The one file of a folder.
fn only_file(folder: &Path) -> Result<PathBuf, PipError> {
    let entries = std::fs::read_dir(folder).map_err(|error| DiskError::at(folder, error))?;
    let mut files = entries.filter_map(Result::ok).map(|entry| entry.path());
    match (files.next(), files.next()) {
        (Some(file), None) => Ok(file),
        _ => Err(PipError::Pip("nothing, and leaves no wheel".to_owned())),
    }
}
