//! Changes `config.yaml` and nothing around the change: comments, order and keys of others stay.

use super::raw::RawConfig;
use super::resolved::{parse, read};
use serde_json::Value;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use thiserror::Error;
use yaml_edit::{Document, Mapping};

/// Why the file wasn't changed. It then is as it was.
#[derive(Debug, Error)]
pub(crate) enum EditError {
    #[error("nowhere to keep it: neither HERMES_HOME nor HOME is set")]
    NoHome,
    #[error("`{}` can't be read: {error}", .path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("`{}` is not valid: {message}", .path.display())]
    Invalid { path: PathBuf, message: String },
    #[error("`{}` can't be changed without touching the rest; write there `model: {{provider: {provider}, default: {model}}}`", .path.display())]
    NotSurely {
        path: PathBuf,
        provider: String,
        model: String,
    },
    #[error("`{}` can't be written: {error}", .path.display())]
    Write { path: PathBuf, error: io::Error },
}

/// Makes a provider and its model the ones in force; the address and key variable of the former one go.
///
/// Returns the file, and the keys that went.
pub(crate) fn set_model(
    home: Option<&Path>,
    provider: &str,
    model: &str,
) -> Result<(PathBuf, Vec<&'static str>), EditError> {
    let home = home.ok_or(EditError::NoHome)?;
    let path = home.join("config.yaml");
    // A link keeps its target: dotfiles are often linked into the home.
    let path = fs::canonicalize(&path)
        .or_else(|_| fs::read_link(&path).map(|target| home.join(target)))
        .unwrap_or(path);
    let before = match read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(EditError::Read { path, error }),
    };
    let raw = parse(&before).map_err(|message| EditError::Invalid {
        path: path.clone(),
        message,
    })?;
    let gone = raw.model.map_or_else(Vec::new, |model| {
        let had = [model.0.base_url.is_some(), model.0.api_key_env.is_some()];
        FORMER
            .into_iter()
            .zip(had)
            .filter_map(|(key, had)| had.then_some(key))
            .collect()
    });
    let after = with_model(&before, provider, model)
        .filter(|after| is_that_change(&before, after, provider, model))
        .ok_or_else(|| EditError::NotSurely {
            path: path.clone(),
            provider: provider.to_owned(),
            model: model.to_owned(),
        })?;
    if after != before {
        replace(&path, &after).map_err(|error| EditError::Write {
            path: path.clone(),
            error,
        })?;
    }
    Ok((path, gone))
}

/// What belongs to the provider before.
const FORMER: [&str; 2] = ["base_url", "api_key_env"];

fn with_model(text: &str, provider: &str, model: &str) -> Option<String> {
    let fresh = Document::from_str("provider: x\n").ok()?.as_mapping()?;
    fresh.set("provider", provider);
    fresh.set("default", model);
    let is_blank = text
        .lines()
        .all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'));
    if is_blank {
        let gap = if text.is_empty() || text.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        let file = Document::from_str("model: x\n").ok()?;
        file.as_mapping()?.set("model", &fresh);
        return Some(format!("{text}{gap}{}", file.to_string().trim_start()));
    }
    let file = Document::from_str(text).ok()?;
    let root = file.as_mapping()?;
    match root.get_mapping("model") {
        Some(section) => change(&section, provider, model),
        None => root.set("model", &fresh),
    }
    let mut text = file.to_string();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Some(text)
}

fn change(section: &Mapping, provider: &str, model: &str) {
    section.set("provider", provider);
    section.set("default", model);
    for key in FORMER {
        section.remove(key);
    }
}

/// Whether the new text says the new model and is the old one in all the rest.
fn is_that_change(before: &str, after: &str, provider: &str, model: &str) -> bool {
    let Ok(RawConfig {
        model: Some(raw), ..
    }) = parse(after)
    else {
        return false;
    };
    let is_said = raw.0.provider.as_deref() == Some(provider)
        && raw.0.default.as_deref() == Some(model)
        && raw.0.base_url.is_none()
        && raw.0.api_key_env.is_none();
    is_said && rest(before).is_some_and(|rest_before| Some(rest_before) == rest(after))
}

/// All but what is changed, as values.
fn rest(text: &str) -> Option<Value> {
    let value: Option<Value> = serde_saphyr::from_str(text).ok()?;
    let mut value = value
        .filter(|value| !value.is_null())
        .unwrap_or_else(|| Value::Object(serde_json::Map::new()));
    let root = value.as_object_mut()?;
    if let Some(Value::Object(mut section)) = root.remove("model") {
        for key in ["provider", "default", "base_url", "api_key_env"] {
            section.remove(key);
        }
        if !section.is_empty() {
            root.insert("model".to_owned(), Value::Object(section));
        }
    }
    Some(value)
}

/// Old or new content, never half: a file beside it is written, then takes its name.
#[expect(
    clippy::disallowed_methods,
    reason = "the configuration's own folder; a failed write leaves nothing behind"
)]
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let beside = folder.join(format!(".config.yaml.{}", std::process::id()));
    let permissions = fs::metadata(path).ok().map(|found| found.permissions());
    let write = || {
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .open(&beside)?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    let written = write();
    if written.is_err() {
        drop(fs::remove_file(&beside));
    }
    written
}

#[cfg(test)]
mod tests;
