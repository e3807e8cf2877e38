//! The model that answers: chosen by flags, environment and configuration, opened when it is asked.

use crate::agent::{Example, SmallModel};
use crate::config::Config;
use crate::local::server::Lease;
use crate::local::store::StoreError;
use crate::local::{LocalError, LocalModel, StartError};
use crate::provider::{
    ChatClient, ProviderError, ProviderRoute, ProxySettings, RouteError, RouteFlags,
};
use hermes_runtime::{Runtime, env};
use std::path::Path;
use thiserror::Error;

/// Who is to answer; nothing is started or connected yet.
#[derive(Debug)]
pub(crate) enum Choice {
    /// A server that runs somewhere.
    Remote(Box<ChatClient>),
    /// A model on this machine.
    Local(Box<LocalModel>),
}

/// Why nobody can be asked.
#[derive(Debug, Error)]
pub(crate) enum ChoiceError {
    #[error(transparent)]
    Route(#[from] RouteError),
    #[error(transparent)]
    Local(#[from] LocalError),
}

impl ChoiceError {
    /// The commands that help.
    pub(crate) fn hints(&self) -> Vec<String> {
        match self {
            Self::Route(RouteError::NoProvider) | Self::Local(LocalError::Nothing) => vec![
                "without a key: hermes model pull gets a small model for this machine".to_owned(),
                "with a key: export OPENAI_API_KEY=… and hermes chat --model gpt-5-mini -q \"…\""
                    .to_owned(),
            ],
            Self::Route(_) | Self::Local(_) => Vec::new(),
        }
    }
}

/// A model that can be asked, as long as this lives.
pub(crate) struct Model {
    pub(crate) client: ChatClient,
    /// How it is asked, if it is a small one.
    pub(crate) small: Option<SmallModel>,
    /// Keeps the server of a local model.
    lease: Option<Lease>,
}

impl Model {
    /// Opens it again after `error`, if its engine is ours and is gone.
    ///
    /// # Errors
    /// `error` itself where that doesn't help, or why the engine can't be started again.
    pub(crate) async fn open_again(&mut self, error: ProviderError) -> Result<(), String> {
        let is_gone = matches!(
            error,
            ProviderError::Connect { .. } | ProviderError::Disconnected { .. }
        );
        let Some(lease) = self.lease.take_if(|_| is_gone) else {
            return Err(self.explained(&error));
        };
        let (lease, endpoint) = lease
            .begin(|| {})
            .await
            .map_err(|error| error.to_string())?;
        self.lease = Some(lease);
        let route = self.client.route().clone();
        let name = route.model.clone();
        let route = route.running(endpoint.base_url, endpoint.api_key, name);
        self.client = client(route).map_err(|error| error.to_string())?;
        Ok(())
    }

    /// An error with what helps if the engine is ours: its address and its sessions aren't the user's.
    pub(crate) fn explained(&self, error: &ProviderError) -> String {
        let Some(lease) = &self.lease else {
            return error.to_string();
        };
        let log = lease.log().display();
        match error {
            ProviderError::ContextOverflow {
                prompt_tokens,
                limit,
            } => {
                let count = |tokens: &Option<u64>| {
                    tokens.map_or_else(|| "?".to_owned(), |tokens| tokens.to_string())
                };
                format!(
                    "the question and the tools are too long for the model: {} tokens of {}; raise `local.context` in config.yaml",
                    count(prompt_tokens),
                    count(limit)
                )
            }
            ProviderError::Connect { .. } | ProviderError::Disconnected { .. } => {
                format!("the engine of the local model ended; its log is `{log}`")
            }
            _ => format!("{error}; the engine's log is `{log}`"),
        }
    }

    /// The question is answered.
    pub(crate) fn end(&mut self) {
        if let Some(lease) = &mut self.lease {
            lease.end();
        }
    }
}

impl Choice {
    /// Decides. With nothing configured and a local model there, that one answers.
    pub(crate) fn by(flags: &RouteFlags, config: &Config) -> Result<Self, ChoiceError> {
        let route = match ProviderRoute::resolve(flags, &env::var, &config.model) {
            // A file of weights is nobody else's model, and its path nobody else's business.
            Ok(route) if LocalModel::is_file(&route.model) => {
                ProviderRoute::local(Some(&route.model))
            }
            Ok(route) => route,
            Err(error @ RouteError::NoProvider) => {
                return Self::unnamed(flags, config).unwrap_or_else(|| Err(error.into()));
            }
            Err(error) => return Err(error.into()),
        };
        if !route.profile.managed {
            return Ok(Self::Remote(Box::new(client(route)?)));
        }
        let model = LocalModel::find(config, &route.model)?;
        Ok(Self::Local(Box::new(model)))
    }

    /// With no provider configured: the local model, if there is one and no other is asked for.
    fn unnamed(flags: &RouteFlags, config: &Config) -> Option<Result<Self, ChoiceError>> {
        let variable = env::var(env::MODEL);
        let named = flags
            .model
            .as_ref()
            .or(variable.as_ref())
            .or(config.model.default.as_ref());
        let found = match named {
            // Said on the command line, it is meant; elsewhere it may be another provider's.
            Some(name) if flags.model.is_none() => match LocalModel::find(config, name) {
                Err(LocalError::Store(StoreError::Unknown { .. } | StoreError::Missing { .. })) => {
                    return None;
                }
                found => found,
            },
            Some(name) if LocalModel::is_any_there() => LocalModel::find(config, name),
            None if LocalModel::is_any_there() => LocalModel::find(config, ""),
            _ => return None,
        };
        Some(
            found
                .map(|model| Self::Local(Box::new(model)))
                .map_err(ChoiceError::from),
        )
    }

    /// The provider's name.
    pub(crate) fn provider(&self) -> &str {
        match self {
            Self::Remote(client) => client.route().profile.name,
            Self::Local(_) => "local",
        }
    }

    /// The log of the engine, if it is ours.
    pub(crate) fn log(&self) -> Option<&Path> {
        match self {
            Self::Remote(_) => None,
            Self::Local(model) => Some(model.log()),
        }
    }

    /// The model's name.
    pub(crate) fn model(&self) -> &str {
        match self {
            Self::Remote(client) => &client.route().model,
            Self::Local(model) => model.name(),
        }
    }

    /// Makes it ready to be asked; a local server is started if it doesn't run. `examples` is the most
    /// tokens of the tools' examples before a small model.
    pub(crate) async fn open(
        self,
        runtime: &Runtime,
        examples: Option<u32>,
        starting: impl FnMut() + Send + 'static,
    ) -> Result<Model, OpenError> {
        match self {
            Self::Remote(client) => Ok(Model {
                client: *client,
                small: None,
                lease: None,
            }),
            Self::Local(local) => {
                let small = local.is_small().then(|| {
                    let tokens = examples.unwrap_or(local.example_tokens());
                    SmallModel::new(
                        all_examples(runtime),
                        usize::try_from(tokens).unwrap_or(0),
                        local.knows_tools(),
                    )
                });
                let (route, lease) = local.start(starting).await?;
                Ok(Model {
                    client: client(route)?,
                    small,
                    lease: Some(lease),
                })
            }
        }
    }
}

/// Why the model that was chosen can't be asked.
#[derive(Debug, Error)]
pub(crate) enum OpenError {
    #[error(transparent)]
    Route(#[from] RouteError),
    #[error(transparent)]
    Local(#[from] StartError),
}

fn client(route: ProviderRoute) -> Result<ChatClient, RouteError> {
    Ok(ChatClient::new(route)?.with_proxies(ProxySettings::from_lookup(&env::var)))
}

/// The examples of all tools that are there.
fn all_examples(runtime: &Runtime) -> Vec<Example> {
    runtime
        .examples()
        .into_iter()
        .map(|example| Example {
            ask: example.ask.to_owned(),
            tool: example.tool.to_owned(),
            arguments: example.args.to_owned(),
        })
        .collect()
}
