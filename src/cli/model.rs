mod listing;
mod pull;
mod test;

use super::{End, Ended, FAILED, print_json};
use crate::config::{Config, set_model};
use crate::local::catalog::{FALLBACK, MODELS};
use crate::local::server;
use crate::local::store;
use crate::local::{Folders, LocalError};
use crate::provider::is_provider;
use crate::term::{line, note};
use listing::size;
use std::path::Path;

/// `hermes model …`
#[derive(Debug, clap::Subcommand)]
pub(super) enum ModelCommand {
    /// List the local models, and which model is in use
    #[command(visible_alias = "ls")]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Make a model the one that answers, in config.yaml
    #[command(
        after_help = "Examples:\n  hermes model use smollm2-135m-instruct\n  hermes model use ./mine.gguf\n  hermes model use openai/gpt-5-mini"
    )]
    Use {
        /// A local model, the path of a .gguf file, or PROVIDER/MODEL
        name: String,
    },
    /// Ask a model two small questions and say how it did
    Test {
        /// A local model, the path of a .gguf file, or PROVIDER/MODEL; the model in use if left out
        name: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Get a model and its engine for this machine
    #[command(
        after_help = "Says first what comes from where, how large it is and under which licence. What was fetched is kept: running it again after a break goes on there."
    )]
    Pull(pull::Pull),
    /// Remove a local model
    Remove {
        /// The model
        #[arg(required_unless_present_any = ["engine", "downloads"])]
        name: Option<String>,
        /// Remove the engines that were pulled
        #[arg(long)]
        engine: bool,
        /// Remove what unfinished downloads left
        #[arg(long)]
        downloads: bool,
    },
}

impl ModelCommand {
    pub(super) fn run(self, config: &Config) -> Ended {
        let is_json = matches!(
            self,
            Self::List { json: true } | Self::Test { json: true, .. }
        );
        let ended = self.perform(config);
        if let (true, Err(End::Usage(error, _))) = (is_json, &ended) {
            print_json(&serde_json::json!({ "error": error }));
        }
        ended
    }

    fn perform(self, config: &Config) -> Ended {
        match self {
            Self::List { json } => listing::run(config, json),
            Self::Use { name } => choose(config, &name),
            Self::Test { name, json } => test::run(config, name.as_deref(), json),
            Self::Pull(command) => command.run(),
            Self::Remove {
                name,
                engine,
                downloads,
            } => remove(name.as_deref(), engine, downloads),
        }
    }
}

fn folders() -> Result<Folders, End> {
    Folders::of_user().ok_or_else(|| End::usage(LocalError::NoFolder.to_string()))
}

/// What a name means: a provider and its model.
fn meant(name: &str) -> Result<(String, String), End> {
    let folders = folders();
    let local = match &folders {
        Ok(folders) => store::find(folders, MODELS, name),
        Err(_) => store::find(&Folders::at(Path::new("")), MODELS, name),
    };
    match local {
        Ok(weights) => {
            let is_kept = store::place_of(&folders?, &weights.name) == weights.path;
            let model = if is_kept {
                weights.name
            } else {
                // The path as it is from any folder.
                let path = std::path::absolute(&weights.path).unwrap_or(weights.path);
                path.to_string_lossy().into_owned()
            };
            Ok(("local".to_owned(), model))
        }
        Err(error) => match name.split_once('/') {
            Some((provider, model)) if is_provider(provider) && !model.is_empty() => {
                Ok((provider.to_lowercase(), model.to_owned()))
            }
            _ => Err(End::usage(error.to_string())),
        },
    }
}

fn choose(config: &Config, name: &str) -> Ended {
    let (provider, model) = meant(name)?;
    let (file, gone) = set_model(config.home.as_deref(), &provider, &model)
        .map_err(|error| End::usage(error.to_string()))?;
    line(&format!(
        "{model} ({provider}) answers from now on; see {}",
        file.display()
    ));
    if !gone.is_empty() {
        note(&format!(
            "`{}` of the provider before went out of the file",
            gone.join("` and `")
        ));
    }
    Ok(())
}

fn remove(name: Option<&str>, engine: bool, downloads: bool) -> Ended {
    let folders = folders()?;
    if let Some(name) = name {
        // Its server would keep the weights in memory and on the disk.
        server::stop(&folders, &store::place_of(&folders, name));
        let freed =
            store::remove(&folders, MODELS, name).map_err(|error| End::usage(error.to_string()))?;
        line(&format!("removed {name}, {}", size(freed)));
    }
    if engine {
        let freed = store::remove_engines(&folders).map_err(|error| failed(&error.to_string()))?;
        line(&format!("removed the engines, {}", size(freed)));
    }
    if downloads {
        let freed =
            store::remove_downloads(&folders).map_err(|error| failed(&error.to_string()))?;
        line(&format!("removed unfinished downloads, {}", size(freed)));
    }
    Ok(())
}

fn failed(text: &str) -> End {
    note(&format!("hermes: {text}"));
    End::Code(FAILED)
}

/// The model that a pull without a name falls back on.
const SMALLEST: &str = FALLBACK.name;
