//! What can go wrong between us and a model, as data.

use std::fmt;
use std::time::Duration;

use thiserror::Error;

use super::route::RouteError;

/// Why there is no reply. Match on variants, never on text. Display is one line that says what
/// to do; no variant ever holds a key, a user name of a URL or a query.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProviderError {
    /// Flags, environment and configuration name no usable provider.
    #[error(transparent)]
    Route(#[from] RouteError),
    /// No connection. `detail` is the system's word for it.
    #[error("no connection to {url}: {}", connect_text(*.fault, .detail))]
    Connect {
        /// Scheme, host and path asked for.
        url: String,
        /// What kind of trouble.
        fault: ConnectFault,
        /// The system's or TLS library's text.
        detail: String,
    },
    /// Nothing arrived for too long. Not retried: a model that needs minutes needs them again.
    #[error("{url} sent nothing for {}s while {stage}; is the model too large for this machine? raise the time limit", .waited.as_secs())]
    Timeout {
        /// Scheme, host and path asked for.
        url: String,
        /// What we waited for.
        stage: &'static str,
        /// For how long.
        waited: Duration,
    },
    /// The connection went away before any answer.
    #[error("{url} closed the connection without an answer ({detail})")]
    Disconnected {
        /// Scheme, host and path asked for.
        url: String,
        /// The system's text.
        detail: String,
    },
    /// 3xx. Not followed, since the key would go to a host nobody chose.
    #[error("{url} redirects to `{location}`; set `base_url` to the address it should be")]
    Redirected {
        /// Scheme, host and path asked for.
        url: String,
        /// Where to, without query.
        location: String,
    },
    /// 401 or 403.
    #[error("{provider} refused the key ({status}): {message}; {}", key_text(.variable.as_deref()))]
    Unauthorized {
        /// Provider name.
        provider: String,
        /// 401 or 403.
        status: u16,
        /// Environment variable the key came from, or should come from.
        variable: Option<String>,
        /// The provider's words.
        message: String,
    },
    /// 402, or 429 for an empty account: waiting doesn't help.
    #[error("{provider} wants payment: {message}; check the account's credit")]
    QuotaExhausted {
        /// Provider name.
        provider: String,
        /// The provider's words.
        message: String,
    },
    /// The provider doesn't have this model.
    #[error("{provider} has no model `{model}`: {message}; choose one with `--model`")]
    ModelNotFound {
        /// Provider name.
        provider: String,
        /// The model asked for.
        model: String,
        /// The provider's words.
        message: String,
    },
    /// 404 that isn't about the model.
    #[error(
        "{url} doesn't exist there ({message}); is `base_url` right, does it need `/v1` at the end?"
    )]
    EndpointNotFound {
        /// Scheme, host and path asked for.
        url: String,
        /// The provider's words.
        message: String,
    },
    /// 429.
    #[error("{provider} limits the rate: {message}{}", wait_text(*.retry_after))]
    RateLimited {
        /// Provider name.
        provider: String,
        /// From `Retry-After`.
        retry_after: Option<Duration>,
        /// The provider's words.
        message: String,
    },
    /// The conversation is longer than the model's context.
    #[error("the conversation is too long for the model{}; compress it or start a new session", overflow_text(*.prompt_tokens, *.limit))]
    ContextOverflow {
        /// Tokens sent, where the provider tells.
        prompt_tokens: Option<u64>,
        /// Tokens allowed, where the provider tells.
        limit: Option<u64>,
    },
    /// The provider refused the request for the sake of one tool's schema.
    #[error("the provider refused the schema of {}: {message}", tool_text(.tool.as_deref()))]
    ToolSchemaRefused {
        /// The tool, where it could be found out.
        tool: Option<String>,
        /// The provider's words.
        message: String,
    },
    /// The request as such is wrong; sending it again doesn't help.
    #[error("the provider refused the request ({status}): {message}")]
    BadRequest {
        /// HTTP status; 500 for servers that answer so to a body they can't parse.
        status: u16,
        /// The provider's words.
        message: String,
    },
    /// 503 while a local server still loads its model.
    #[error("the model is still loading at {url}; try again in a moment")]
    Loading {
        /// Scheme, host and path asked for.
        url: String,
    },
    /// 502, 503, 504, 529: overloaded or down for a moment.
    #[error("{provider} is unavailable ({status}): {message}{}", wait_text(*.retry_after))]
    Unavailable {
        /// Provider name.
        provider: String,
        /// HTTP status.
        status: u16,
        /// From `Retry-After`.
        retry_after: Option<Duration>,
        /// The provider's words.
        message: String,
    },
    /// Any other trouble on the provider's side; `status` is 200 if it came inside a stream.
    #[error("{provider} has an internal error ({status}): {message}")]
    Server {
        /// Provider name.
        provider: String,
        /// HTTP status.
        status: u16,
        /// The provider's words.
        message: String,
    },
    /// Status 200, but not a chat completion.
    #[error(
        "{url} answered with {kind}, not a chat completion; is `base_url` right? it began: {excerpt}"
    )]
    NotAReply {
        /// Scheme, host and path asked for.
        url: String,
        /// What it was instead.
        kind: BodyKind,
        /// The first characters.
        excerpt: String,
    },
    /// The stream ended in the middle. What was shown until then is no answer.
    #[error("the answer broke off after {received} characters ({detail}); ask again")]
    StreamCut {
        /// Characters of text that had arrived.
        received: usize,
        /// How it ended.
        detail: String,
    },
    /// The answer is larger than we hold in memory.
    #[error("{what} is larger than {} MiB; refused", .limit / (1024 * 1024))]
    TooLarge {
        /// Which part.
        what: &'static str,
        /// Bytes allowed.
        limit: usize,
    },
    /// The user stopped the turn. Never made here (dropping the future stops a request), but the
    /// loop needs a word for it.
    #[error("cancelled")]
    Cancelled,
}

impl ProviderError {
    /// Whether sending the same request again may help, provided that nothing of the answer was
    /// shown yet.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Connect { fault, .. } => !matches!(
                fault,
                ConnectFault::Refused | ConnectFault::Tls | ConnectFault::Setup
            ),
            Self::Disconnected { .. }
            | Self::RateLimited { .. }
            | Self::Loading { .. }
            | Self::Unavailable { .. }
            | Self::Server { .. }
            | Self::StreamCut { .. } => true,
            _ => false,
        }
    }
}

/// Kinds of [`ProviderError::Connect`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectFault {
    /// Nobody listens there.
    Refused,
    /// The name has no address.
    Dns,
    /// Certificate or handshake.
    Tls,
    /// No answer to the connection request.
    Timeout,
    /// Our side can't even try: no certificates on this system, a proxy of an unknown kind.
    Setup,
    /// Anything else.
    Other,
}

/// What came with status 200 in place of a completion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyKind {
    /// A web page.
    Html,
    /// JSON of another shape.
    Json,
    /// Some other text, or bytes.
    Text,
    /// Nothing.
    Empty,
}

impl fmt::Display for BodyKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Html => "HTML",
            Self::Json => "other JSON",
            Self::Text => "text",
            Self::Empty => "nothing",
        })
    }
}

fn connect_text(fault: ConnectFault, detail: &str) -> String {
    match fault {
        ConnectFault::Refused => {
            "nobody listens there; is the server running, is `base_url` right?".to_owned()
        }
        ConnectFault::Dns => {
            format!("the name has no address ({detail}); check `base_url` and the network")
        }
        ConnectFault::Timeout => "no answer in time; check the network or proxy".to_owned(),
        ConnectFault::Tls => {
            format!("TLS: {detail}; check the system's certificates and `base_url`")
        }
        ConnectFault::Setup | ConnectFault::Other => detail.to_owned(),
    }
}

fn key_text(variable: Option<&str>) -> String {
    match variable {
        Some(variable) => format!("check `{variable}`"),
        None => "give a key through `api_key_env` or `HERMES_API_KEY`".to_owned(),
    }
}

fn wait_text(wait: Option<Duration>) -> String {
    wait.map_or_else(String::new, |wait| {
        format!("; try again in {}s", wait.as_secs_f64().ceil())
    })
}

fn overflow_text(prompt: Option<u64>, limit: Option<u64>) -> String {
    match (prompt, limit) {
        (Some(prompt), Some(limit)) => format!(" ({prompt} tokens of {limit})"),
        (None, Some(limit)) => format!(" (limit {limit} tokens)"),
        (Some(prompt), None) => format!(" ({prompt} tokens)"),
        (None, None) => String::new(),
    }
}

fn tool_text(tool: Option<&str>) -> String {
    tool.map_or_else(
        || "one of the tools".to_owned(),
        |tool| format!("tool `{tool}`"),
    )
}
