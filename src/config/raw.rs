//! `config.yaml` as it is written. Unknown keys belong to others and are let alone.

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroU16;

/// The parts of the file that are read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RawConfig {
    pub(super) model: Option<RawModel>,
    pub(super) plugins: Option<RawPlugins>,
    pub(super) local: Option<RawLocal>,
}

/// `model:`; a bare text is the model's name.
#[derive(Debug, Default)]
pub(super) struct RawModel(pub(super) RawModelParts);

impl<'de> Deserialize<'de> for RawModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ModelVisitor)
    }
}

/// By hand, since the message of an untagged enum says neither what is wrong nor what to write.
struct ModelVisitor;

impl<'de> Visitor<'de> for ModelVisitor {
    type Value = RawModel;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`model` as a model's name, or with `default`, `provider`, `base_url`, `api_key_env` below it")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<RawModel, E> {
        Ok(RawModel(RawModelParts {
            default: Some(name.to_owned()),
            ..RawModelParts::default()
        }))
    }

    fn visit_unit<E: de::Error>(self) -> Result<RawModel, E> {
        Ok(RawModel::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RawModel, A::Error> {
        RawModelParts::deserialize(de::value::MapAccessDeserializer::new(map)).map(RawModel)
    }
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

/// `local:`, about the server of provider `local`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RawLocal {
    pub(super) context: Option<u32>,
    pub(super) threads: Option<NonZeroU16>,
    pub(super) keep_alive_seconds: Option<u32>,
    pub(super) example_tokens: Option<u32>,
}
