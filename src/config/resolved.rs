use super::raw::{RawConfig, RawModel};
use crate::provider::ModelConfig;
use hermes_runtime::{Gate, env};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What the host goes by.
#[derive(Debug, Default)]
pub(crate) struct Config {
    /// The home folder, if there is one; it need not exist.
    pub(crate) home: Option<PathBuf>,
    /// Whether `config.yaml` was there.
    pub(crate) file: Option<PathBuf>,
    /// Which plugins are on.
    pub(crate) gate: Gate,
    /// Who answers.
    pub(crate) model: ModelConfig,
}

/// A file that is there and can't be used. Going on without it could leave a guard off.
#[derive(Debug, Error)]
pub(crate) enum ConfigError {
    #[error("`{}` can't be read: {error}", .path.display())]
    Read {
        path: PathBuf,
        error: std::io::Error,
    },
    #[error("`{}` is not valid: {message}", .path.display())]
    Parse { path: PathBuf, message: String },
}

impl Config {
    /// Reads the home that the environment names.
    pub(crate) fn load() -> Result<Self, ConfigError> {
        let Some(home) = env::home() else {
            return Ok(Self::default());
        };
        Self::of_home(&home)
    }

    /// The home alone, whatever its file says.
    pub(crate) fn without_file() -> Self {
        Self {
            home: env::home(),
            ..Self::default()
        }
    }

    /// Reads a home.
    pub(crate) fn of_home(home: &Path) -> Result<Self, ConfigError> {
        let path = home.join("config.yaml");
        let text = match read(&path) {
            Ok(text) => text,
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                return Ok(Self {
                    home: Some(home.to_owned()),
                    ..Self::default()
                });
            }
            Err(error) => return Err(ConfigError::Read { path, error }),
        };
        let raw = parse(&text).map_err(|message| ConfigError::Parse {
            path: path.clone(),
            message,
        })?;
        let plugins = raw.plugins.unwrap_or_default();
        let RawModel(model) = raw.model.unwrap_or_default();
        Ok(Self {
            home: Some(home.to_owned()),
            file: Some(path),
            gate: Gate {
                enabled: plugins.enabled,
                disabled: plugins.disabled.unwrap_or_default(),
            },
            model: ModelConfig {
                default: model.default,
                provider: model.provider,
                base_url: model.base_url,
                api_key_env: model.api_key_env,
            },
        })
    }
}

/// The text of a regular file of a sane size: a pipe would never end.
fn read(path: &Path) -> io::Result<String> {
    const MOST: u64 = 4 * 1024 * 1024;
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    if metadata.len() > MOST {
        return Err(io::Error::other("it is larger than 4 MiB"));
    }
    fs::read_to_string(path)
}

fn parse(text: &str) -> Result<RawConfig, String> {
    if text.trim().is_empty() {
        return Ok(RawConfig::default());
    }
    // A file of comments alone is a null document.
    let raw: Option<RawConfig> = serde_saphyr::from_str(text)
        // The parser adds a drawing of the place; its first line says it all.
        .map_err(|error| {
            let text = error.to_string();
            let line = text.lines().next().unwrap_or_default();
            line.strip_prefix("error: ").unwrap_or(line).to_owned()
        })?;
    Ok(raw.unwrap_or_default())
}
