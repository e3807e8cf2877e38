//! Sends requests and waits for replies.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, LOCATION, RETRY_AFTER, USER_AGENT};
use hyper::http::{HeaderMap, HeaderValue, Method, Request as HttpRequest, Response, Uri};
use tokio::time::timeout;

use super::assemble::DeltaSink;
use super::chat_completions::{self, Decoder, Encoding, Fault, Request, SizeLimits};
use super::classify::{self, Context, classify};
use super::error::{BodyKind, ConnectFault, ProviderError};
use super::http::{HttpClient, ProxySettings, SendError};
use super::message::{Delta, Reply, ToolSpec};
use super::retry::{RetryPolicy, Schedule, parse_retry_after};
use super::route::{ProviderRoute, RouteError};

/// An error body is read up to here.
const ERROR_BODY: usize = 256 * 1024;

/// How long the client waits for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLimits {
    /// For a connection.
    pub connect: Duration,
    /// From the request to the first byte; models on a small machine read long prompts slowly.
    pub first_byte: Duration,
    /// Between two portions of the answer.
    pub idle: Duration,
}

impl Default for TimeLimits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(600),
            idle: Duration::from_secs(180),
        }
    }
}

/// A client for one provider and model. Making it costs nothing; connections and certificates
/// come with the first request. Share it by reference or in an `Arc`.
pub struct ChatClient {
    route: ProviderRoute,
    url: Endpoint,
    models_url: Endpoint,
    authorization: Option<HeaderValue>,
    http: HttpClient,
    retry: RetryPolicy,
    time: TimeLimits,
    size: SizeLimits,
    /// Cleared once a server has refused `stream_options`.
    stream_options: AtomicBool,
}

impl fmt::Debug for ChatClient {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("ChatClient");
        debug.field("url", &self.url.shown).field("model", &self.route.model).finish_non_exhaustive()
    }
}

impl ChatClient {
    /// A client for `route`.
    ///
    /// # Errors
    /// The base URL isn't one, or the key has characters that no header may have.
    pub fn new(route: ProviderRoute) -> Result<Self, RouteError> {
        let url = Endpoint::new(&route.base_url, "/chat/completions")?;
        let models_url = Endpoint::new(&route.base_url, "/models")?;
        let time = TimeLimits::default();
        let authorization = match &route.api_key {
            None => None,
            Some(key) => {
                let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose())).map_err(|_| {
                    RouteError::BadKey { variable: route.key_variable.clone().unwrap_or_else(|| "the key".to_owned()) }
                })?;
                value.set_sensitive(true);
                Some(value)
            }
        };
        let stream_options = AtomicBool::new(route.profile.stream_options);
        Ok(Self {
            url,
            models_url,
            authorization,
            http: HttpClient::new(ProxySettings::default(), time.connect),
            retry: RetryPolicy::default(),
            time,
            size: SizeLimits::default(),
            stream_options,
            route,
        })
    }

    /// Uses these proxies; without this, none.
    #[must_use]
    pub fn with_proxies(mut self, proxies: ProxySettings) -> Self {
        self.http = HttpClient::new(proxies, self.time.connect);
        self
    }

    /// Changes how often requests are repeated.
    #[must_use]
    pub fn with_retry(mut self, retry: RetryPolicy) -> Self {
        self.retry = retry;
        self
    }

    /// Changes the waits; call it before [`ChatClient::with_proxies`].
    #[must_use]
    pub fn with_time_limits(mut self, time: TimeLimits) -> Self {
        self.time = time;
        self.http = HttpClient::new(ProxySettings::default(), time.connect);
        self
    }

    /// Changes how much is held in memory.
    #[must_use]
    pub fn with_size_limits(mut self, size: SizeLimits) -> Self {
        self.size = size;
        self
    }

    /// Where requests go.
    pub fn route(&self) -> &ProviderRoute {
        &self.route
    }

    /// Asks the model and waits for the whole reply; `on_delta` sees it arrive.
    ///
    /// Failures that may pass are repeated by the [`RetryPolicy`], but never once text was shown.
    /// Dropping the future stops the request and closes the connection.
    ///
    /// # Errors
    /// See [`ProviderError`]; half an answer is always an error.
    pub async fn complete(&self, request: &Request, on_delta: &mut DeltaSink<'_>) -> Result<Reply, ProviderError> {
        let mut schedule = Schedule::new(self.retry);
        let mut body = self.encode(request)?;
        loop {
            let mut shown = false;
            let mut sink = |delta: Delta<'_>| {
                shown |= delta.is_output();
                on_delta(delta);
            };
            let Err(error) = self.attempt(&request.tools, body.clone(), &mut sink).await.map_or_else(Err, |reply| Ok(Err(reply)).and_then(|x: Result<ProviderError, Reply>| Ok::<_, ProviderError>(x)).map_err(|e| e).and_then(|r| Ok::<Result<ProviderError, Reply>, ProviderError>(r)).and_then(|r| match r { Ok(e) => Err(e), Err(reply) => Ok(reply) })) else { unreachable!() };
            if let Some(delay) = schedule.after(&error, shown) {
                on_delta(Delta::Retry { reason: &error.to_string(), delay });
                tokio::time::sleep(delay).await;
            } else {
                return Err(error);
            }
        }
    }
}
