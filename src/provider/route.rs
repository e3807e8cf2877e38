//! Who answers, and with which key: flags over environment over configuration.
//!
//! Three rules, for the sake of keys:
//!
//! 1. **The highest layer that names a provider or a base URL decides the address**; lower layers
//!    don't mix into it. `HERMES_BASE_URL` with `model.provider: openai` in the file is a `custom`
//!    server, not OpenAI at another address. A base URL without a provider in its layer is `custom`,
//!    unless it is the very address of a known provider.
//! 2. **A provider's own variable (`OPENAI_API_KEY`) is sent only to that provider's own origin**
//!    (scheme, host and port of its profile). At any other address the key comes from
//!    `api_key_env` or `HERMES_API_KEY`, or there is none. `HERMES_API_KEY` goes only to an address
//!    that was written as `base_url` somewhere, never to one that follows from a provider's name.
//! 3. **`api_key_env` belongs to the address the file names.** If flags or environment choose
//!    another one, it isn't used.
//!
//! Provider `local` is a server of our own: it has no address and no key until it runs.
//!
//! With nothing named, `--model openai/gpt-x` chooses a provider whose key is set, else the only
//! provider whose key is set is taken. The model may come from any layer: a wrong name is
//! answered with a clear refusal, so mixing is harmless.

use hyper::http::Uri;
use thiserror::Error;

use super::key::ApiKey;
use super::profile::{self, CUSTOM, LOCAL, PROFILES, Profile};

/// Key for servers that are no known provider's own.
const HERMES_API_KEY: &str = "HERMES_API_KEY";

/// What the command line says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RouteFlags {
    /// `--provider`
    pub provider: Option<String>,
    /// `--model`
    pub model: Option<String>,
    /// `--base-url`
    pub base_url: Option<String>,
}

/// The `model:` section of the configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelConfig {
    /// `default`: the model.
    pub default: Option<String>,
    /// `provider`
    pub provider: Option<String>,
    /// `base_url`
    pub base_url: Option<String>,
    /// `api_key_env`: variable that holds the key.
    pub api_key_env: Option<String>,
}

/// Where requests go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderRoute {
    /// The provider's habits and name.
    pub profile: &'static Profile,
    /// Endpoint without `/chat/completions`; checked, without user name, may hold a query. Empty for a
    /// [managed](Profile::managed) server until it runs.
    pub base_url: String,
    /// The model. Empty for a managed server: the one that is there.
    pub model: String,
    /// The key, if there is one.
    pub api_key: Option<ApiKey>,
    /// Variable the key came from or would come from, for messages.
    pub key_variable: Option<String>,
}

/// Why there is no route. One line each, with what to do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RouteError {
    /// Nobody named and no key found.
    #[error(
        "no provider chosen; set a provider's key such as `OPENAI_API_KEY`, or `HERMES_BASE_URL` for a server of your own"
    )]
    NoProvider,
    /// Several keys and nothing to choose by.
    #[error("keys of several providers are set ({}); choose one with `--provider` or `model.provider`", .names.join(", "))]
    SeveralProviders {
        /// Their names.
        names: Vec<&'static str>,
    },
    /// A name that isn't in the table.
    #[error("no provider `{name}`; {}", suggestion_text(*.suggestion))]
    UnknownProvider {
        /// As given.
        name: String,
        /// The closest known name.
        suggestion: Option<&'static str>,
    },
    /// The profile has no address of its own.
    #[error(
        "provider `{provider}` needs an address; set `HERMES_BASE_URL`, `--base-url` or `model.base_url`, for example http://127.0.0.1:8080/v1"
    )]
    NoBaseUrl {
        /// The provider.
        provider: &'static str,
    },
    /// An address for a server that we start ourselves.
    #[error(
        "provider `{provider}` starts its own server and takes no `base_url`; leave the address out, or choose provider `llamacpp` for a server that runs already"
    )]
    OwnAddress {
        /// The provider.
        provider: &'static str,
    },
    /// The address can't be used. The address itself isn't repeated, it may hold a password.
    #[error("`base_url` {reason}; give it like https://host/v1")]
    BadBaseUrl {
        /// What is wrong with it.
        reason: &'static str,
    },
    /// No model named.
    #[error(
        "no model chosen for {provider}; give one with `--model`, `HERMES_MODEL` or `model.default`"
    )]
    NoModel {
        /// The provider.
        provider: &'static str,
    },
    /// The provider wants a key and there is none.
    #[error("{provider} needs a key; set `{variable}`")]
    NoKey {
        /// The provider.
        provider: &'static str,
        /// The variable to set.
        variable: String,
    },
    /// The key can't be sent.
    #[error("`{variable}` holds characters that no key has; was it pasted with something else?")]
    BadKey {
        /// The variable it came from.
        variable: String,
    },
}

fn suggestion_text(suggestion: Option<&'static str>) -> String {
    suggestion.map_or_else(
        || {
            let names: Vec<_> = PROFILES.iter().map(|profile| profile.name).collect();
            format!("known are {}", names.join(", "))
        },
        |name| format!("did you mean `{name}`?"),
    )
}

/// One layer's word about the address.
struct Layer<'a> {
    provider: Option<&'a str>,
    base_url: Option<&'a str>,
}

impl ProviderRoute {
    /// Decides. Pure: `env` looks a variable up; empty values count as not set.
    ///
    /// # Errors
    /// See [`RouteError`].
    pub fn resolve(
        flags: &RouteFlags,
        env: &dyn Fn(&str) -> Option<String>,
        config: &ModelConfig,
    ) -> Result<Self, RouteError> {
        let env = |name: &str| env(name).filter(|value| !value.trim().is_empty());
        let (env_provider, env_base_url, env_model) = (
            env("HERMES_PROVIDER"),
            env("HERMES_BASE_URL"),
            env("HERMES_MODEL"),
        );
        let model = given(flags.model.as_ref())
            .or(given(env_model.as_ref()))
            .or(given(config.default.as_ref()));
        let layers = [
            Layer {
                provider: given(flags.provider.as_ref()),
                base_url: given(flags.base_url.as_ref()),
            },
            Layer {
                provider: given(env_provider.as_ref()),
                base_url: given(env_base_url.as_ref()),
            },
            Layer {
                provider: given(config.provider.as_ref()),
                base_url: given(config.base_url.as_ref()),
            },
        ];
        let layer = layers
            .iter()
            .find(|layer| layer.provider.is_some() || layer.base_url.is_some());

        let (profile, model) = match layer {
            Some(Layer {
                provider: Some(name),
                ..
            }) => (named(name)?, model),
            Some(layer) => (layer.base_url.and_then(owner).unwrap_or(CUSTOM), model),
            None => unnamed(model, &env)?,
        };
        if profile.managed {
            return Self::managed(profile, layer, model);
        }
        let base_url = layer
            .and_then(|layer| layer.base_url)
            .unwrap_or(profile.base_url);
        if base_url.is_empty() {
            return Err(RouteError::NoBaseUrl {
                provider: profile.name,
            });
        }
        let base_url = check_base_url(base_url)?;
        let (api_key, key_variable) = find_key(profile, &base_url, layer, config, &env)?;
        let model = model
            .ok_or(RouteError::NoModel {
                provider: profile.name,
            })?
            .to_owned();
        Ok(Self {
            profile,
            base_url,
            model,
            api_key,
            key_variable,
        })
    }

    fn managed(
        profile: &'static Profile,
        layer: Option<&Layer<'_>>,
        model: Option<&str>,
    ) -> Result<Self, RouteError> {
        if layer.is_some_and(|layer| layer.base_url.is_some()) {
            return Err(RouteError::OwnAddress {
                provider: profile.name,
            });
        }
        Ok(Self::local(model))
    }

    /// The local model, named or the one that is there.
    pub(crate) fn local(model: Option<&str>) -> Self {
        Self {
            profile: LOCAL,
            base_url: String::new(),
            model: model.unwrap_or_default().to_owned(),
            api_key: None,
            key_variable: None,
        }
    }

    /// The route to a managed server that runs now, and the model it holds.
    #[must_use]
    pub(crate) fn running(mut self, base_url: String, api_key: ApiKey, model: String) -> Self {
        self.base_url = base_url;
        self.api_key = Some(api_key);
        self.model = model;
        self
    }
}

fn given(value: Option<&String>) -> Option<&str> {
    value
        .map(|value| value.trim())
        .filter(|value| !value.is_empty())
}

fn named(name: &str) -> Result<&'static Profile, RouteError> {
    profile::find(name).ok_or_else(|| RouteError::UnknownProvider {
        name: name.to_owned(),
        suggestion: closest(name),
    })
}

/// Nobody is named: by the prefix of the model, else by the only key there is.
fn unnamed<'m>(
    model: Option<&'m str>,
    env: &dyn Fn(&str) -> Option<String>,
) -> Result<(&'static Profile, Option<&'m str>), RouteError> {
    let has_key = |profile: &&Profile| {
        profile
            .key_variable
            .is_some_and(|variable| env(variable).is_some())
    };
    if let Some((prefix, rest)) = model.and_then(|model| model.split_once('/'))
        && let Some(profile) =
            profile::find(prefix).filter(|profile| profile.managed || has_key(profile))
    {
        return Ok((profile, Some(rest)));
    }
    let mut candidates = PROFILES.iter().filter(has_key);
    match (candidates.next(), candidates.next()) {
        (Some(profile), None) => Ok((profile, model)),
        (None, _) => Err(RouteError::NoProvider),
        (Some(_), Some(_)) => {
            let names = PROFILES
                .iter()
                .filter(has_key)
                .map(|profile| profile.name)
                .collect();
            Err(RouteError::SeveralProviders { names })
        }
    }
}

fn find_key(
    profile: &'static Profile,
    base_url: &str,
    layer: Option<&Layer<'_>>,
    config: &ModelConfig,
    env: &dyn Fn(&str) -> Option<String>,
) -> Result<(Option<ApiKey>, Option<String>), RouteError> {
    let is_at = |address: &str| origin(address).is_some() && origin(address) == origin(base_url);
    let config_address = given(config.base_url.as_ref())
        .or_else(|| Some(profile::find(given(config.provider.as_ref())?)?.base_url))
        .unwrap_or_default();
    let from_config = given(config.api_key_env.as_ref()).filter(|_| is_at(config_address));
    let own = profile.key_variable.filter(|_| is_at(profile.base_url));
    // Whoever writes an address may give any key for it; a profile's own address has its variable.
    let general =
        Some(HERMES_API_KEY).filter(|_| layer.is_some_and(|layer| layer.base_url.is_some()));
    let variables = [from_config, own, general];
    for variable in variables.into_iter().flatten() {
        if let Some(key) = env(variable).and_then(|key| ApiKey::new(&key)) {
            return Ok((Some(key), Some(variable.to_owned())));
        }
    }
    match from_config.or(own) {
        // The provider's own endpoint, or the file says that there is a key.
        Some(variable) => Err(RouteError::NoKey {
            provider: profile.name,
            variable: variable.to_owned(),
        }),
        None => Ok((None, general.map(str::to_owned))),
    }
}

/// The provider whose own address this is, if it is one that wants a key.
fn owner(base_url: &str) -> Option<&'static Profile> {
    PROFILES.iter().find(|profile| {
        profile.key_variable.is_some()
            && origin(base_url).is_some_and(|at| Some(at) == origin(profile.base_url))
    })
}

/// Scheme, host and port. `None` for what isn't an address.
fn origin(url: &str) -> Option<(String, String, u16)> {
    let uri: Uri = url.trim().parse().ok()?;
    let scheme = uri.scheme_str()?.to_lowercase();
    let port = uri
        .port_u16()
        .unwrap_or(if scheme == "https" { 443 } else { 80 });
    Some((scheme, uri.host()?.to_lowercase(), port))
}

fn check_base_url(base_url: &str) -> Result<String, RouteError> {
    let bad = |reason| Err(RouteError::BadBaseUrl { reason });
    let Ok(uri) = base_url.parse::<Uri>() else {
        return bad("isn't a URL");
    };
    match uri.scheme_str() {
        Some("http" | "https") => {}
        Some(_) => return bad("is neither http nor https"),
        None => return bad("has no `http://` or `https://` in front"),
    }
    if uri
        .authority()
        .is_none_or(|authority| authority.host().is_empty())
    {
        return bad("has no host");
    }
    if uri
        .authority()
        .is_some_and(|authority| authority.as_str().contains('@'))
    {
        return bad("holds a user name or password, which would be logged");
    }
    // `http`'s parser keeps `:99999` and then says that there is no port: the key would go to 80.
    let port_is_read = uri.authority().is_none_or(|authority| {
        let port = authority.as_str().rsplit_once(':').map(|(_, port)| port);
        port.is_none_or(|port| port.ends_with(']') || authority.port_u16().is_some())
    });
    if !port_is_read {
        return bad("has a port that is none; ports go up to 65535");
    }
    if base_url.contains('#') {
        return bad("has a `#` part, which no server sees");
    }
    Ok(base_url.to_owned())
}

/// The nearest provider name, if it is near enough to be meant.
fn closest(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    let near = PROFILES
        .iter()
        .map(|profile| (strsim::osa_distance(&name, profile.name), profile.name));
    let (distance, best) = near.min()?;
    (distance <= 1 + name.chars().count() / 4).then_some(best)
}

#[cfg(test)]
mod tests;
