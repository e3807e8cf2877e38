//! Talks to the model: an OpenAI-compatible chat-completions client.
//!
//! Data flows one way. `route` decides who answers (flags, environment, configuration) and
//! with which key; `history` makes a conversation acceptable for that provider;
//! `chat_completions` encodes the request; `http` carries it; `decode`, `stream` and `assemble`
//! turn the bytes of the answer into one [`Reply`]; `classify` turns refusals into a
//! [`ProviderError`]; `retry` decides whether to try again. `recover` finds tool calls that
//! a model wrote as text. [`ChatClient`] ties these together.
//!
//! Invariants, each with a test:
//!
//! - Half an answer is never a success: a stream that ends without `finish_reason` or `[DONE]`
//!   is [`ProviderError::StreamCut`].
//! - Arguments are passed on exactly as the model sent them; a call that was cut off says so
//!   ([`ToolCall::truncated`]) and must not be run.
//! - A key goes only to the host it belongs to, and appears in no message.
//! - Nothing here reads the environment, the disk (except the system's CA certificates, on the
//!   first `https` request) or a global.

mod assemble;
mod call_slot;
mod chat_completions;
mod classify;
mod client;
pub(crate) mod connect_error;
mod decode;
pub(crate) mod endpoint;
mod error;
mod history;
pub(crate) mod http;
mod key;
mod message;
mod profile;
mod recover;
mod retry;
mod route;
mod stream;
mod wire;

#[cfg(test)]
mod fake_server;

pub use assemble::DeltaSink;
pub use chat_completions::Request;
pub use client::{ChatClient, TimeLimits};
pub use decode::SizeLimits;
pub use error::{BodyKind, ConnectFault, ProviderError};
pub use http::ProxySettings;
pub use key::ApiKey;
pub use message::{
    Delta, FinishReason, Message, RawArguments, Reply, ToolCall, ToolChoice, ToolSpec, Usage,
};
pub use profile::Profile;
pub use recover::recover_calls;
pub use retry::RetryPolicy;
pub use route::{ModelConfig, ProviderRoute, RouteError, RouteFlags};

/// Whether a provider is called so.
pub(crate) fn is_provider(name: &str) -> bool {
    profile::find(name).is_some()
}
