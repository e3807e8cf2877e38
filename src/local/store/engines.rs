use super::disk::{self, DiskError};
use super::record::EngineRecord;
use crate::local::Folders;
use crate::local::cpu::{Machine, Unfit};
use crate::local::program;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The engine's program.
pub(crate) const PROGRAM: &str = "llama-server";

/// A `llama-server` that can be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Engine {
    pub(crate) program: PathBuf,
    /// Where its libraries lie, for the loader's search path; `None` if the system finds them.
    pub(crate) library_folder: Option<PathBuf>,
    /// Where it comes from, for people.
    pub(crate) origin: String,
    /// `None` of one that wasn't pulled.
    pub(crate) version: Option<String>,
}

/// Why there is no engine to start.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EngineError {
    #[error("no `llama-server` on this machine; run `hermes model pull` or put one on the `PATH`")]
    None,
    #[error("engine `{name}` can't run here: {unfit}; run `hermes model pull` for one that can")]
    Unfit { name: String, unfit: Unfit },
}

/// The engine to use: the user's own on the search path, else the newest pulled one that this
/// machine can run.
pub(crate) fn engine(
    folders: &Folders,
    machine: &Machine,
    path: Option<&OsStr>,
) -> Result<Engine, EngineError> {
    if let Some(program) = program::find(PROGRAM, path) {
        return Ok(Engine {
            origin: format!("`{}`, found on the `PATH`", program.display()),
            program,
            library_folder: None,
            version: None,
        });
    }
    let mut refusal = None;
    for (folder, record) in installed(folders) {
        let features = record.features.iter().map(String::as_str);
        match machine.has(Some((&record.os, &record.arch)), features) {
            Ok(()) => return Ok(of_record(&folder, &record)),
            Err(unfit) => {
                refusal.get_or_insert(EngineError::Unfit {
                    name: record.name,
                    unfit,
                });
            }
        }
    }
    Err(refusal.unwrap_or(EngineError::None))
}

/// Removes all pulled engines; gives the bytes that this frees.
pub(crate) fn remove_engines(folders: &Folders) -> Result<u64, DiskError> {
    disk::remove_folder(&folders.engines())
}

/// Whole engines, the newest first.
fn installed(folders: &Folders) -> Vec<(PathBuf, EngineRecord)> {
    let Ok(entries) = fs::read_dir(folders.engines()) else {
        return Vec::new();
    };
    let mut engines: Vec<_> = entries
        .filter_map(Result::ok)
        // Those that begin with a dot are being unpacked.
        .filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
        .map(|entry| entry.path())
        .filter_map(|folder| EngineRecord::read(&folder).map(|record| (folder, record)))
        .filter(|(folder, record)| {
            is_within(&record.program) && program::is_executable(&folder.join(&record.program))
        })
        .collect();
    engines.sort_by(|(one_folder, one), (other_folder, other)| {
        let by_time = other.installed.cmp(&one.installed);
        by_time.then_with(|| one_folder.cmp(other_folder))
    });
    engines
}

fn is_within(program: &str) -> bool {
    Path::new(program)
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
}

fn of_record(folder: &Path, record: &EngineRecord) -> Engine {
    let program = folder.join(&record.program);
    let how = if record.built_here {
        "built here"
    } else {
        "pulled"
    };
    Engine {
        library_folder: program.parent().map(Path::to_owned),
        program,
        origin: format!("`{}`, {how}", record.name),
        version: Some(record.version.clone()),
    }
}
