//! `config.yaml` as it is written. Unknown keys belong to others and are let alone.

use serde::Deserialize;
use std::collections::BTreeSet;

/// The parts of the file that are read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RawConfig {
    pub(super) model: Option<RawModel>,
    pub(super) plugins: Option<RawPlugins>,
}

/// `model:`; a bare text is the model's name.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum RawModel {
    Name(String),
    Parts(RawModelParts),
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RawModelParts {
    pub(super) default: Option<String>,
    pub(super) provider: Option<String>,
    pub(super) base_url: Option<String>,
    pub(super) api_key_env: Option<String>,
}

/// `plugins:`
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RawPlugins {
    pub(super) enabled: Option<BTreeSet<String>>,
    pub(super) disabled: Option<BTreeSet<String>>,
}
