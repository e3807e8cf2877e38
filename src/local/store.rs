//! What was pulled, and what else lies in the folder of local models.

pub(crate) mod disk;
mod engines;
mod record;

pub(crate) use engines::{Engine, EngineError, engine, remove_engines};
pub(crate) use record::EngineRecord;

use super::Folders;
use super::catalog::Model;
use super::gguf::{self, GgufError};
use disk::DiskError;
use record::Stamp;
use std::fs;
use std::path::{Path, PathBuf};

/// Below so many parameters a model needs help with tools: short lists, examples, constraints.
const SMALL: u64 = 1_000_000_000;

/// Weights that are whole, as far as their head tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Weights {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) bytes: u64,
    pub(crate) licence: Option<String>,
    pub(crate) architecture: Option<String>,
    /// The model's own; `None` if it has none or an oversized one.
    pub(crate) chat_template: Option<String>,
    pub(crate) has_tool_template: bool,
    pub(crate) parameters: u64,
    pub(crate) is_small: bool,
    /// In tokens.
    pub(crate) context_length: Option<u64>,
    /// What the file must hash to, where that is known.
    sha256: Option<String>,
    /// Whether a catalogue has it, so that it can be pulled again.
    pub(crate) is_known: bool,
}

/// Why weights can't be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error("there is no model `{name}`{}; `hermes model list` shows what there is, and the path of a .gguf file will do too", hint(.nearest.as_deref()))]
    Unknown {
        name: String,
        nearest: Option<String>,
    },
    #[error("model `{name}` isn't on this machine; run `hermes model pull {name}`")]
    NotPulled { name: String },
    #[error("`{}` isn't there; give the path of a .gguf file or a name that `hermes model list` shows", .path.display())]
    Missing { path: PathBuf },
    #[error("`{}` can't be used as weights: {error}; {}", .path.display(), again(.pull.as_deref()))]
    NotUsable {
        path: PathBuf,
        error: GgufError,
        /// The name by which it can be pulled again.
        pull: Option<String>,
    },
    #[error("`{}` is damaged: its SHA-256 is {actual} instead of {expected}; {}", .path.display(), again(.pull.as_deref()))]
    Damaged {
        path: PathBuf,
        expected: String,
        actual: String,
        pull: Option<String>,
    },
    #[error(transparent)]
    Disk(#[from] DiskError),
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!(", did you mean `{name}`?"))
}

fn again(pull: Option<&str>) -> String {
    match pull {
        Some(name) => format!("run `hermes model pull {name}` to get it again"),
        None => "get the file again from where it came".to_owned(),
    }
}

/// All weights of the folder.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// By name.
    pub(crate) usable: Vec<Weights>,
    /// Files that are called `.gguf` and can't be used.
    pub(crate) broken: Vec<StoreError>,
}

/// Where a catalogue's model lies once it is pulled.
pub(crate) fn place_of(folders: &Folders, name: &str) -> PathBuf {
    folders.models().join(format!("{name}.gguf"))
}

/// The weights that are there, of the catalogue and others.
pub(crate) fn models(folders: &Folders, catalogue: &[Model]) -> Listing {
    let mut listing = Listing::default();
    for path in weight_files(folders) {
        match look_at(&path, catalogue) {
            Ok(weights) => listing.usable.push(weights),
            Err(error) => listing.broken.push(error),
        }
    }
    listing
}

/// Weights by name or by the path of a file.
pub(crate) fn find(
    folders: &Folders,
    catalogue: &[Model],
    name_or_path: &str,
) -> Result<Weights, StoreError> {
    let is_file = Path::new(name_or_path)
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("gguf"));
    if is_file || name_or_path.contains(['/', '\\']) {
        let path = PathBuf::from(name_or_path);
        if path.is_file() {
            return look_at(&path, catalogue);
        }
        let pulled = folders.models().join(&path);
        let is_name = path.components().count() == 1;
        if is_name && is_file && pulled.is_file() {
            return look_at(&pulled, catalogue);
        }
        return Err(StoreError::Missing { path });
    }
    let path = place_of(folders, name_or_path);
    if path.is_file() {
        return look_at(&path, catalogue);
    }
    if catalogue.iter().any(|model| model.name == name_or_path) {
        return Err(StoreError::NotPulled {
            name: name_or_path.to_owned(),
        });
    }
    let there = weight_files(folders);
    let names = catalogue
        .iter()
        .map(|model| model.name.to_owned())
        .chain(there.iter().map(|path| name_of(path)));
    Err(StoreError::Unknown {
        name: name_or_path.to_owned(),
        nearest: nearest(name_or_path, names),
    })
}

/// The name most like one that was given, if any is like it.
pub(crate) fn nearest(name: &str, names: impl IntoIterator<Item = String>) -> Option<String> {
    let name = name.to_lowercase();
    names
        .into_iter()
        .map(|other| {
            let likeness = strsim::jaro_winkler(&name, &other.to_lowercase());
            (likeness, other)
        })
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, name)| name)
}

/// Checks that weights are what was pulled. Quick while size and time are those of the last check;
/// reads the whole file otherwise, and may take seconds.
pub(crate) fn verify(weights: &Weights) -> Result<(), StoreError> {
    let Some(expected) = &weights.sha256 else {
        return Ok(());
    };
    if let Some(stamp) = Stamp::read(&weights.path)
        && stamp.sha256 == *expected
        && stamp.still_holds(&weights.path)?
    {
        return Ok(());
    }
    let actual = disk::checksum_of(&weights.path)?;
    if actual != *expected {
        return Err(StoreError::Damaged {
            path: weights.path.clone(),
            expected: expected.clone(),
            actual,
            pull: weights.is_known.then(|| weights.name.clone()),
        });
    }
    let stamp = Stamp::of(&weights.path, expected, weights.licence.as_deref())?;
    // In a folder that can't be written the check is made each time.
    drop(stamp.write(&weights.path));
    Ok(())
}

/// Writes down that a catalogue's model lies whole in its place.
pub(crate) fn stamp(folders: &Folders, model: &Model) -> Result<(), DiskError> {
    let path = place_of(folders, model.name);
    Stamp::of(&path, model.sha256, Some(model.licence))?.write(&path)
}

/// Removes weights of the folder with what is known about them; gives the bytes that this frees.
///
/// # Errors
/// No such weights there. A file elsewhere is the user's, and stays.
pub(crate) fn remove(
    folders: &Folders,
    catalogue: &[Model],
    name: &str,
) -> Result<u64, StoreError> {
    let path = place_of(folders, name);
    if name.contains(['/', '\\']) || !path.is_file() {
        let known = catalogue.iter().map(|model| model.name.to_owned());
        let there: Vec<String> = weight_files(folders)
            .iter()
            .map(|path| name_of(path))
            .collect();
        if known.clone().any(|known| known == name) {
            return Err(StoreError::NotPulled {
                name: name.to_owned(),
            });
        }
        return Err(StoreError::Unknown {
            name: name.to_owned(),
            nearest: nearest(name, there),
        });
    }
    let stamp = disk::remove_file(&path.with_extension("json"))?;
    Ok(stamp + disk::remove_file(&path)?)
}

/// Removes what downloads left unfinished; gives the bytes that this frees. Locks stay.
pub(crate) fn remove_downloads(folders: &Folders) -> Result<u64, StoreError> {
    let Ok(entries) = fs::read_dir(folders.downloads()) else {
        return Ok(0);
    };
    let mut freed = 0;
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        if path.is_dir() {
            freed += disk::remove_folder(&path)?;
        } else if path.extension().is_none_or(|extension| extension != "lock") {
            freed += disk::remove_file(&path)?;
        }
    }
    Ok(freed)
}

fn weight_files(folders: &Folders) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folders.models()) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "gguf")
        })
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files
}

fn name_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

fn look_at(path: &Path, catalogue: &[Model]) -> Result<Weights, StoreError> {
    let name = name_of(path);
    let stamp = Stamp::read(path);
    // A file of the user's may happen to be called like a model of the catalogue.
    let model = catalogue
        .iter()
        .find(|model| model.name == name)
        .filter(|model| {
            stamp
                .as_ref()
                .is_none_or(|stamp| stamp.sha256 == model.sha256)
        });
    let head = gguf::read(path).map_err(|error| StoreError::NotUsable {
        path: path.to_owned(),
        error,
        pull: model.map(|model| model.name.to_owned()),
    })?;
    let bytes = path
        .metadata()
        .map_err(|error| DiskError::at(path, error))?
        .len();
    let licence = model.map(|model| model.licence.to_owned());
    let stamped = stamp.as_ref().and_then(|stamp| stamp.licence.clone());
    let sha256 = model.map(|model| model.sha256.to_owned());
    Ok(Weights {
        name,
        path: path.to_owned(),
        bytes,
        licence: licence.or(stamped).or(head.licence),
        architecture: head.architecture,
        has_tool_template: head.has_tool_template,
        chat_template: head.chat_template,
        parameters: head.parameters,
        is_small: head.parameters < SMALL,
        context_length: head.context_length,
        sha256: sha256.or(stamp.map(|stamp| stamp.sha256)),
        is_known: model.is_some(),
    })
}

#[cfg(test)]
mod tests;
