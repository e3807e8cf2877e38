//! What cargo says about the workspace: its packages, features and folders.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::program::Program;

/// The root package: the host.
pub(crate) const HOST: &str = "hermes-agent";

/// The workspace as `cargo metadata --no-deps` tells it; needs neither network nor lock file.
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    pub(crate) target: PathBuf,
    pub(crate) packages: Vec<Package>,
}

pub(crate) struct Package {
    pub(crate) name: String,
    /// The package's folder.
    pub(crate) folder: PathBuf,
    pub(crate) is_default_member: bool,
    pub(crate) has_library: bool,
    /// Feature → what it turns on.
    pub(crate) features: Vec<(String, Vec<String>)>,
    pub(crate) dependencies: Vec<Dependency>,
}

pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) optional: bool,
}

/// The workspace's folder, known at compile time: xtask is only ever run from its own checkout.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

impl Workspace {
    pub(crate) fn load() -> Result<Self> {
        let root = root();
        let json = Program::cargo(&root, "metadata --no-deps --format-version 1").read_json()?;
        let default_members = strings(&json["workspace_default_members"]);
        let packages = list(&json["packages"])
            .map(|package| Package::from_json(package, &default_members))
            .collect::<Result<_>>()?;
        let target = text_of(&json, "target_directory")?.into();
        Ok(Self {
            root,
            target,
            packages,
        })
    }

    pub(crate) fn package(&self, name: &str) -> Result<&Package> {
        let found = self.packages.iter().find(|package| package.name == name);
        found.with_context(|| format!("the workspace has no package `{name}`"))
    }

    /// The host's features that each link one plugin, sorted.
    pub(crate) fn plugin_features(&self) -> Result<Vec<&str>> {
        let host = self.package(HOST)?;
        let mut names: Vec<_> = host
            .features
            .iter()
            .map(|(name, _)| name.as_str())
            .filter(|name| name.starts_with("plugin-"))
            .collect();
        names.sort_unstable();
        Ok(names)
    }
}

impl Package {
    fn from_json(package: &Value, default_members: &[String]) -> Result<Self> {
        let manifest = PathBuf::from(text_of(package, "manifest_path")?);
        let id = text_of(package, "id")?;
        let features = package["features"].as_object().into_iter().flatten();
        let has_library = list(&package["targets"])
            .flat_map(|target| list(&target["kind"]))
            .any(|kind| matches!(kind.as_str(), Some("lib" | "rlib" | "proc-macro")));
        Ok(Self {
            name: text_of(package, "name")?,
            folder: manifest.parent().unwrap_or(&manifest).to_owned(),
            is_default_member: default_members.contains(&id),
            has_library,
            features: features
                .map(|(name, on)| (name.clone(), strings(on)))
                .collect(),
            dependencies: list(&package["dependencies"])
                .map(|dependency| {
                    Ok(Dependency {
                        name: text_of(dependency, "name")?,
                        optional: dependency["optional"] == true,
                    })
                })
                .collect::<Result<_>>()?,
        })
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn strings(value: &Value) -> Vec<String> {
    list(value)
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

fn text_of(value: &Value, key: &str) -> Result<String> {
    let text = value[key].as_str().map(str::to_owned);
    text.with_context(|| format!("cargo metadata has no `{key}`"))
}
