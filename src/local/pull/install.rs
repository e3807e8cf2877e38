//! Puts an engine from an archive into its folder, if it starts.

use super::archive::{self, ArchiveError};
use super::error::{Fault, PullError};
use super::plan::Site;
use crate::local::catalog::{EngineOrigin, EngineSource};
use crate::local::program;
use crate::local::store::EngineRecord;
use crate::local::store::disk::{self, DiskError};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

const PROGRAM: &str = "llama-server";

/// Unpacks beside the target, tries it, and renames. The caller holds the engines' lock.
pub(super) async fn install(
    site: &Site,
    source: &EngineSource,
    archive: &Path,
) -> Result<PathBuf, Fault> {
    let engines = site.folders.engines();
    let unpacked = engines.join(format!(".{}.unpacking", source.name));
    disk::remove_folder(&unpacked)?;
    disk::make_folder(&unpacked)?;
    let installed = try_install(site, source, archive, &unpacked).await;
    if installed.is_err() {
        // The first error is the one that matters.
        drop(disk::remove_folder(&unpacked));
    }
    installed
}

async fn try_install(
    site: &Site,
    source: &EngineSource,
    archive: &Path,
    unpacked: &Path,
) -> Result<PathBuf, Fault> {
    let damaged = |error| {
        Fault::Fail(PullError::Archive {
            what: source.name.to_owned(),
            error,
        })
    };
    unpack(source, archive, unpacked).await.map_err(damaged)?;
    let program = program_below(unpacked, 6)
        .ok_or_else(|| damaged(ArchiveError::Missing(PROGRAM.to_owned())))?;
    let folder = program.parent().unwrap_or(unpacked);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Wheels needn't keep modes.
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755))
            .map_err(|error| DiskError::at(&program, error))?;
    }
    program::probe(&program, folder)
        .await
        .map_err(Fault::Skip)?;
    let relative = program.strip_prefix(unpacked).unwrap_or(&program);
    record(site, source, relative).write(unpacked)?;
    let target = site.folders.engines().join(source.name);
    disk::remove_folder(&target)?;
    disk::put_in_place(unpacked, &target)?;
    Ok(target.join(relative))
}

async fn unpack(source: &EngineSource, archive: &Path, into: &Path) -> Result<(), ArchiveError> {
    let (archive, into) = (archive.to_owned(), into.to_owned());
    let origin = source.origin;
    let work = move || match origin {
        EngineOrigin::Release { .. } => archive::unpack_tar_gz(&archive, &into),
        EngineOrigin::Package(package) | EngineOrigin::Build { package, .. } => {
            archive::unpack_zip(&archive, package.entry, &into)
        }
    };
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(ArchiveError::Damaged(std::io::Error::other(error))))
}

fn program_below(folder: &Path, depth: u32) -> Option<PathBuf> {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let here = folder.join(&name);
    if here.symlink_metadata().is_ok_and(|file| file.is_file()) {
        return Some(here);
    }
    let mut folders: Vec<PathBuf> = fs::read_dir(folder)
        .ok()?
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect();
    folders.sort();
    let depth = depth.checked_sub(1)?;
    folders
        .iter()
        .find_map(|folder| program_below(folder, depth))
}

fn record(site: &Site, source: &EngineSource, program: &Path) -> EngineRecord {
    let built_here = matches!(source.origin, EngineOrigin::Build { .. });
    let features = if built_here {
        site.machine.features.iter().cloned().collect()
    } else {
        source
            .features
            .iter()
            .map(|&name| name.to_owned())
            .collect()
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    EngineRecord {
        format: EngineRecord::FORMAT,
        name: source.name.to_owned(),
        version: source.version.to_owned(),
        licence: source.licence.to_owned(),
        program: program.to_string_lossy().into_owned(),
        os: site.machine.os.clone(),
        arch: site.machine.arch.clone(),
        features,
        built_here,
        installed: now.unwrap_or_default().as_secs(),
    }
}
