//! Sends requests and waits for replies.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{
    ACCEPT, AUTHORIZATION, CONNECTION, CONTENT_TYPE, LOCATION, RETRY_AFTER, USER_AGENT,
};
use hyper::http::{HeaderMap, HeaderValue, Method, Request as HttpRequest, Response, Uri};
use tokio::time::timeout;

use super::assemble::DeltaSink;
use super::chat_completions::{self, Encoding, Request};
use super::classify::{self, Context, classify};
use super::connect_error::{deepest, send_error};
use super::decode::{self, Decoder, Fault, SizeLimits};
use super::endpoint::{Endpoint, shown};
use super::error::{BodyKind, ProviderError};
use super::http::{HttpClient, ProxySettings};
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
            first_byte: Duration::from_mins(10),
            idle: Duration::from_mins(3),
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
    /// Nobody sees the answer before it is whole.
    unseen: bool,
    /// Cleared once a server has refused `stream_options`.
    stream_options: AtomicBool,
}

impl fmt::Debug for ChatClient {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("ChatClient");
        debug
            .field("url", &self.url.shown)
            .field("model", &self.route.model)
            .finish_non_exhaustive()
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
                let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose()))
                    .map_err(|_| RouteError::BadKey {
                        variable: route
                            .key_variable
                            .clone()
                            .unwrap_or_else(|| "the key".to_owned()),
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
            unseen: false,
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

    /// Changes the waits.
    #[must_use]
    pub fn with_time_limits(mut self, time: TimeLimits) -> Self {
        self.time = time;
        self.http = self.http.with_connect_timeout(time.connect);
        self
    }

    /// Changes how much is held in memory.
    #[must_use]
    pub fn with_size_limits(mut self, size: SizeLimits) -> Self {
        self.size = size;
        self
    }

    /// Says that nobody sees an answer before it is whole, so that one which breaks off may be asked
    /// for again.
    #[must_use]
    pub fn with_unseen_output(mut self, unseen: bool) -> Self {
        self.unseen = unseen;
        self
    }

    /// Where requests go.
    pub fn route(&self) -> &ProviderRoute {
        &self.route
    }

    /// Asks the model and waits for the whole reply; `on_delta` sees it arrive.
    ///
    /// Failures that may pass are repeated by the [`RetryPolicy`], but never once text was shown
    /// (see [`ChatClient::with_unseen_output`]).
    /// Dropping the future stops the request and closes the connection.
    ///
    /// # Errors
    /// See [`ProviderError`]; half an answer is always an error.
    pub async fn complete(
        &self,
        request: &Request,
        on_delta: &mut DeltaSink<'_>,
    ) -> Result<Reply, ProviderError> {
        let mut schedule = Schedule::new(self.retry);
        loop {
            let mut shown = false;
            let mut sink = |delta: Delta<'_>| {
                shown |= delta.is_output();
                on_delta(delta);
            };
            let error = match self.attempt(request, &mut sink).await {
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            };
            if self.drops_stream_options(&error) {
                continue;
            }
            let Some(delay) = schedule.after(&error, shown && !self.unseen) else {
                return Err(error);
            };
            on_delta(Delta::Retry {
                reason: &error.to_string(),
                delay,
            });
            tokio::time::sleep(delay).await;
        }
    }

    /// The names of the models on offer, as the provider lists them.
    ///
    /// # Errors
    /// As [`ChatClient::complete`]; nothing is repeated.
    pub async fn models(&self) -> Result<Vec<String>, ProviderError> {
        let request = self.request(Method::GET, &self.models_url, Bytes::new())?;
        let mut response = self.send(request, &self.models_url, &[]).await?;
        let body = self
            .collect(response.body_mut(), &self.models_url, self.size.event)
            .await?;
        let list: Option<ModelList> = serde_json::from_slice(&body).ok();
        list.map(|list| list.data.into_iter().map(|model| model.id).collect())
            .ok_or_else(|| {
                let excerpt = decode::excerpt(&String::from_utf8_lossy(&body));
                ProviderError::NotAReply {
                    url: self.models_url.shown.clone(),
                    kind: BodyKind::Json,
                    excerpt,
                }
            })
    }

    /// One request, no retry.
    async fn attempt(
        &self,
        request: &Request,
        sink: &mut DeltaSink<'_>,
    ) -> Result<Reply, ProviderError> {
        let encoding = Encoding {
            model: &self.route.model,
            profile: self.route.profile,
            stream_options: self.stream_options.load(Ordering::Relaxed),
        };
        let body = chat_completions::encode(request, encoding).map_err(|error| {
            ProviderError::BadRequest {
                status: 0,
                message: error.to_string(),
            }
        })?;
        let http_request = self.request(Method::POST, &self.url, Bytes::from(body))?;
        let mut response = self.send(http_request, &self.url, &request.tools).await?;
        let mut decoder = Decoder::new(&request.tools, self.size);
        let explain = |fault| self.explain(fault, &request.tools);
        let body = response.body_mut();
        loop {
            match self.next_portion(body, &self.url).await {
                Ok(Some(portion)) => decoder.push(&portion, sink).map_err(explain)?,
                Ok(None) => break,
                // The answer is whole; what was lost is at most the token counts.
                Err(_) if decoder.is_complete() => break,
                Err(ProviderError::StreamCut { detail, .. }) => {
                    return Err(ProviderError::StreamCut {
                        received: decoder.received(),
                        detail,
                    });
                }
                Err(error) => return Err(error),
            }
            if decoder.is_done() {
                drain(body).await;
                break;
            }
        }
        decoder.finish(sink).map_err(explain)
    }

    /// Sends and checks the status.
    async fn send(
        &self,
        request: HttpRequest<Full<Bytes>>,
        endpoint: &Endpoint,
        tools: &[ToolSpec],
    ) -> Result<Response<Incoming>, ProviderError> {
        let mut response = match timeout(self.time.first_byte, self.http.send(request)).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(send_error(&error, &endpoint.shown)),
            Err(_) => return Err(endpoint.timed_out("waiting for an answer", self.time.first_byte)),
        };
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        if status.is_redirection() {
            let location = response
                .headers()
                .get(LOCATION)
                .and_then(|value| value.to_str().ok())
                .unwrap_or_default();
            let location = location
                .parse::<Uri>()
                .map_or_else(|_| "?".to_owned(), |uri| shown(&uri));
            return Err(ProviderError::Redirected {
                url: endpoint.shown.clone(),
                location,
            });
        }
        let retry_after = retry_after(response.headers());
        // A refusal without its words is still a refusal.
        let body = self
            .collect(response.body_mut(), endpoint, ERROR_BODY)
            .await
            .unwrap_or_default();
        let body = String::from_utf8_lossy(&body);
        Err(classify(
            status.as_u16(),
            retry_after,
            &body,
            self.context(endpoint, tools),
        ))
    }

    fn request(
        &self,
        method: Method,
        endpoint: &Endpoint,
        body: Bytes,
    ) -> Result<HttpRequest<Full<Bytes>>, ProviderError> {
        let mut builder = HttpRequest::builder()
            .method(method)
            .uri(endpoint.uri.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream, application/json")
            .header(USER_AGENT, concat!("hermes-rs/", env!("CARGO_PKG_VERSION")));
        if let Some(authorization) = &self.authorization {
            builder = builder.header(AUTHORIZATION, authorization.clone());
        }
        // The engine closes a connection whenever it likes, also while the next request is on its way.
        // On this machine a new one costs nothing.
        if self.route.profile.managed {
            builder = builder.header(CONNECTION, "close");
        }
        // Every part was checked before, so this doesn't happen.
        builder
            .body(Full::new(body))
            .map_err(|error| ProviderError::BadRequest {
                status: 0,
                message: error.to_string(),
            })
    }

    /// The next bytes of a body, or `None` at its end.
    async fn next_portion(
        &self,
        body: &mut Incoming,
        endpoint: &Endpoint,
    ) -> Result<Option<Bytes>, ProviderError> {
        loop {
            match timeout(self.time.idle, body.frame()).await {
                Err(_) => return Err(endpoint.timed_out("sending the answer", self.time.idle)),
                Ok(None) => return Ok(None),
                Ok(Some(Err(error))) => {
                    let detail = classify::one_line(&deepest(&error), 120);
                    return Err(ProviderError::StreamCut {
                        received: 0,
                        detail,
                    });
                }
                Ok(Some(Ok(frame))) => {
                    // Frames without data are trailers.
                    if let Ok(data) = frame.into_data() {
                        return Ok(Some(data));
                    }
                }
            }
        }
    }

    async fn collect(
        &self,
        body: &mut Incoming,
        endpoint: &Endpoint,
        limit: usize,
    ) -> Result<Vec<u8>, ProviderError> {
        let mut collected = Vec::new();
        while let Some(portion) = self.next_portion(body, endpoint).await? {
            if collected.len() + portion.len() > limit {
                return Err(ProviderError::TooLarge {
                    what: "the answer",
                    limit,
                });
            }
            collected.extend_from_slice(&portion);
        }
        Ok(collected)
    }

    fn context<'a>(&'a self, endpoint: &'a Endpoint, tools: &'a [ToolSpec]) -> Context<'a> {
        Context {
            provider: self.route.profile.name,
            model: &self.route.model,
            url: &endpoint.shown,
            key_variable: self.route.key_variable.as_deref(),
            key: self.route.api_key.as_ref(),
            tools,
        }
    }

    fn explain(&self, fault: Fault, tools: &[ToolSpec]) -> ProviderError {
        let scrubbed = |text: &str| classify::scrubbed(text, self.route.api_key.as_ref());
        match fault {
            Fault::Refused(body) => classify(200, None, &body, self.context(&self.url, tools)),
            Fault::NotAReply(kind, excerpt) => ProviderError::NotAReply {
                url: self.url.shown.clone(),
                kind,
                excerpt: scrubbed(&excerpt),
            },
            Fault::Cut { received, detail } => ProviderError::StreamCut {
                received,
                detail: scrubbed(&detail),
            },
            Fault::TooLarge(what, limit) => ProviderError::TooLarge { what, limit },
        }
    }

    /// Whether the server refused `stream_options`; from now on the client leaves it out.
    fn drops_stream_options(&self, error: &ProviderError) -> bool {
        matches!(error, ProviderError::BadRequest { message, .. } if message.contains("stream_options"))
            && self.stream_options.swap(false, Ordering::Relaxed)
    }
}

#[derive(serde::Deserialize)]
struct ModelList {
    data: Vec<ModelEntry>,
}

#[derive(serde::Deserialize)]
struct ModelEntry {
    id: String,
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    // Azure and OpenAI send the precise wait as well.
    let precise = text("retry-after-ms")
        .and_then(|value| value.trim().parse().ok())
        .map(Duration::from_millis);
    precise.or_else(|| parse_retry_after(text(RETRY_AFTER.as_str())?, SystemTime::now()))
}

/// Reads what follows `[DONE]`, so that the connection can be used again; usually only its end.
async fn drain(body: &mut Incoming) {
    let rest = async { while let Some(Ok(_)) = body.frame().await {} };
    // A server that goes on talking costs its connection, nothing else.
    drop(timeout(Duration::from_millis(50), rest).await);
}

#[cfg(test)]
mod tests;
