use super::raw::{RawConfig, RawLocal, RawModel};
use crate::provider::ModelConfig;
use hermes_runtime::{Gate, env};
use std::fs;
use std::io::{self, ErrorKind};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::time::Duration;
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
    /// How the server of provider `local` runs.
    pub(crate) local: LocalConfig,
}

/// How the server of provider `local` runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LocalConfig {
    /// Tokens of context.
    pub(crate) context: u32,
    /// Threads; chosen by the number of cores if unset.
    pub(crate) threads: Option<NonZeroU16>,
    /// How long the server stays without a question.
    pub(crate) keep_alive: Duration,
    /// Most tokens of examples before a small model; 0 sends none.
    pub(crate) example_tokens: u32,
}

impl Default for LocalConfig {
    fn default() -> Self {
        Self {
            context: 4096,
            threads: None,
            keep_alive: Duration::from_mins(5),
            example_tokens: 600,
        }
    }
}

impl LocalConfig {
    /// Less holds no system prompt with a handful of tools.
    const LEAST_CONTEXT: u32 = 512;

    fn of(raw: &RawLocal) -> Result<Self, String> {
        let default = Self::default();
        if let Some(context) = raw.context.filter(|context| *context < Self::LEAST_CONTEXT) {
            return Err(format!(
                "`local.context` is {context}; write at least {}",
                Self::LEAST_CONTEXT
            ));
        }
        Ok(Self {
            context: raw.context.unwrap_or(default.context),
            threads: raw.threads,
            keep_alive: raw
                .keep_alive_seconds
                .map_or(default.keep_alive, |seconds| {
                    Duration::from_secs(seconds.into())
                }),
            example_tokens: raw.example_tokens.unwrap_or(default.example_tokens),
        })
    }
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
        let invalid = |message| ConfigError::Parse {
            path: path.clone(),
            message,
        };
        let raw = parse(&text).map_err(invalid)?;
        let local = LocalConfig::of(&raw.local.unwrap_or_default()).map_err(invalid)?;
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
            local,
        })
    }
}

/// The text of a regular file of a sane size: a pipe would never end.
pub(super) fn read(path: &Path) -> io::Result<String> {
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

pub(super) fn parse(text: &str) -> Result<RawConfig, String> {
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
