//! The local model that is to answer: its weights, its engine, its server.

use super::catalog::MODELS;
use super::cpu::Machine;
use super::server::{self, Launch, Lease, ServerError};
use super::store::{self, Engine, EngineError, StoreError, Weights};
use super::{Folders, catalog};
use crate::config::{Config, LocalConfig};
use crate::provider::ProviderRoute;
use hermes_runtime::env;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// A chat template with tools, for models whose own has none: with such a one the engine ignores tools
/// without a word.
const TOOL_TEMPLATE: &str = include_str!("chatml.jinja");

/// How long an engine may take to load; a large model on a slow disk takes minutes.
const PATIENCE: Duration = Duration::from_mins(5);

/// A model that can be started.
#[derive(Debug)]
pub(crate) struct LocalModel {
    folders: Folders,
    weights: Weights,
    engine: Engine,
    settings: LocalConfig,
    log: PathBuf,
}

/// Why there is none.
#[derive(Debug, Error)]
pub(crate) enum LocalError {
    #[error("there is nowhere to keep a local model: neither HERMES_CACHE nor HOME is set")]
    NoFolder,
    #[error("no local model is on this machine")]
    Nothing,
    /// The keeper is told by JSON, the engine by arguments of text.
    #[error("`{}` can't be given to an engine, since it isn't UTF-8; rename it", .0.display())]
    NoText(PathBuf),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl LocalModel {
    /// Whether weights are there, good ones or bad.
    pub(crate) fn is_any_there() -> bool {
        Folders::of_user()
            .is_some_and(|folders| !matches!(first(&folders), Err(LocalError::Nothing)))
    }

    /// Whether a model's name is the path of weights.
    pub(crate) fn is_file(name: &str) -> bool {
        let path = Path::new(name);
        let extension = path.extension();
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case("gguf")) && path.is_file()
    }

    /// A model by name or path; an empty name is the best that is there.
    pub(crate) fn find(config: &Config, name: &str) -> Result<Self, LocalError> {
        let folders = Folders::of_user().ok_or(LocalError::NoFolder)?;
        let weights = if name.is_empty() {
            first(&folders)?
        } else {
            store::find(&folders, MODELS, name)?
        };
        let machine = Machine::this();
        let engine = store::engine(&folders, &machine, env::path().as_deref())?;
        let file = log_name(&weights.name);
        let log = match &config.home {
            Some(home) => home.join("logs").join(file),
            None => folders.run().join(file),
        };
        for path in [&weights.path, &engine.program, &log, &folders.run()] {
            if path.to_str().is_none() {
                return Err(LocalError::NoText(path.clone()));
            }
        }
        Ok(Self {
            folders,
            weights,
            engine,
            settings: config.local.clone(),
            log,
        })
    }

    pub(crate) fn name(&self) -> &str {
        &self.weights.name
    }

    /// The engine's log.
    pub(crate) fn log(&self) -> &Path {
        &self.log
    }

    /// Whether it needs help with tools.
    pub(crate) fn is_small(&self) -> bool {
        self.weights.is_small
    }

    /// Whether it can make something of tools that stand beside a question.
    pub(crate) fn knows_tools(&self) -> bool {
        // Models of 135 and 270 million were seen to repeat the schemas instead.
        self.weights.parameters >= 300_000_000
    }

    /// Most tokens of examples before a question.
    pub(crate) fn example_tokens(&self) -> u32 {
        self.settings.example_tokens
    }

    /// What is started, for people.
    pub(crate) fn description(&self) -> String {
        format!(
            "{} with {}",
            self.weights.path.display(),
            self.engine.origin
        )
    }

    /// Makes sure that its server runs. `starting` hears if that takes a while.
    pub(crate) async fn start(
        &self,
        starting: impl FnMut() + Send + 'static,
    ) -> Result<(ProviderRoute, Lease), StartError> {
        // Reads the weights only if they changed since they were checked.
        store::verify(&self.weights)?;
        let lease = server::connect(self.launch()).await?;
        let (lease, endpoint) = lease.begin(starting).await?;
        let route = ProviderRoute::local(None).running(
            endpoint.base_url,
            endpoint.api_key,
            self.weights.name.clone(),
        );
        Ok((route, lease))
    }

    /// On a machine with few cores one is left to others. The engine's threads wait for one another by
    /// spinning, so one that is held up holds up all; with a build running beside, two threads on two cores
    /// take ten times as long as one, and more threads than cores never end. With many cores the engine
    /// takes the physical ones.
    fn threads(&self) -> Option<NonZeroU16> {
        let cores = std::thread::available_parallelism().ok()?.get();
        let cores = NonZeroU16::new(u16::try_from(cores).unwrap_or(u16::MAX))?;
        match self.settings.threads {
            Some(threads) => Some(threads.min(cores)),
            None if cores.get() <= 4 => NonZeroU16::new((cores.get() - 1).max(1)),
            None => None,
        }
    }

    fn launch(&self) -> Launch {
        // More context than the model was made for gives nonsense.
        let most = self.weights.context_length.unwrap_or(u64::MAX);
        let context = u64::from(self.settings.context).min(most);
        Launch {
            program: self.engine.program.clone(),
            library_folder: self.engine.library_folder.clone(),
            // A relative path would be another for another process.
            weights: std::path::absolute(&self.weights.path)
                .unwrap_or_else(|_| self.weights.path.clone()),
            alias: self.weights.name.clone(),
            chat_template: (!self.weights.has_tool_template).then(|| TOOL_TEMPLATE.to_owned()),
            context: u32::try_from(context).unwrap_or(self.settings.context),
            threads: self.threads().map(NonZeroU16::get),
            log: self.log.clone(),
            run_folder: self.folders.run(),
            keep_alive: self.settings.keep_alive,
            patience: PATIENCE,
        }
    }
}

/// The log's file. A name of weights may be as long as the system lets a name be.
fn log_name(name: &str) -> String {
    const MOST: usize = 200;
    let end = (0..=name.len().min(MOST)).rfind(|at| name.is_char_boundary(*at));
    format!("local-{}.log", &name[..end.unwrap_or(0)])
}

/// Why its server doesn't answer.
#[derive(Debug, Error)]
pub(crate) enum StartError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Server(#[from] ServerError),
}

/// The model that answers if none is named: the catalogue's order, then any other.
fn first(folders: &Folders) -> Result<Weights, LocalError> {
    let listing = store::models(folders, catalog::MODELS);
    let mut there = listing.usable;
    // The engine is told the path as text.
    there.retain(|weights| weights.path.to_str().is_some());
    let best = MODELS
        .iter()
        .find_map(|model| there.iter().position(|weights| weights.name == model.name));
    if there.is_empty() {
        let broken = listing.broken.into_iter().next();
        return Err(broken.map_or(LocalError::Nothing, LocalError::Store));
    }
    Ok(there.swap_remove(best.unwrap_or(0)))
}
