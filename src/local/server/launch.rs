use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

/// What is to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Launch {
    /// The `llama-server`.
    pub(crate) program: PathBuf,
    /// Where its shared libraries are.
    pub(crate) library_folder: Option<PathBuf>,
    pub(crate) weights: PathBuf,
    /// The model's name, as the engine tells it.
    pub(crate) alias: String,
    /// A chat template in place of the model's own.
    pub(crate) chat_template: Option<String>,
    /// Tokens of context.
    pub(crate) context: u32,
    /// Threads; the engine's choice if unset.
    pub(crate) threads: Option<u16>,
    /// The engine's log.
    pub(crate) log: PathBuf,
    /// Where it is written down that the server runs.
    pub(crate) run_folder: PathBuf,
    /// How long the engine stays without a question.
    pub(crate) keep_alive: Duration,
    /// How long it may take to load.
    pub(crate) patience: Duration,
}

impl Launch {
    /// Equal for processes that can share one server: same engine, weights and settings.
    pub(super) fn key(&self) -> String {
        let metadata = std::fs::metadata(&self.weights).ok();
        let modified = metadata
            .as_ref()
            .and_then(|metadata| metadata.modified().ok())
            .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let bytes = metadata.map(|metadata| metadata.len());
        let same = (
            env!("CARGO_PKG_VERSION"),
            (&self.program, &self.library_folder),
            (&self.weights, bytes, modified),
            (&self.chat_template, self.context, self.threads),
        );
        // A path that is no text can't be told to the keeper either.
        let text = serde_json::to_vec(&same).unwrap_or_default();
        hex(&digest(&SHA256, &text).as_ref()[..12])
    }

    /// The engine's arguments, for a port.
    pub(super) fn arguments(&self, port: u16) -> Vec<String> {
        let mut arguments = vec![
            "-m".to_owned(),
            self.weights.to_string_lossy().into_owned(),
            "--alias".to_owned(),
            self.alias.clone(),
            "--host".to_owned(),
            "127.0.0.1".to_owned(),
            "--port".to_owned(),
            port.to_string(),
            "-c".to_owned(),
            self.context.to_string(),
            // One question at a time: a second slot would halve the context.
            "-np".to_owned(),
            "1".to_owned(),
            "--jinja".to_owned(),
        ];
        if let Some(threads) = self.threads {
            arguments.extend(["-t".to_owned(), threads.to_string()]);
        }
        if let Some(template) = &self.chat_template {
            arguments.extend(["--chat-template".to_owned(), template.clone()]);
        }
        arguments
    }
}

/// Lower-case hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}
