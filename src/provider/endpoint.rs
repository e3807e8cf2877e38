//! Addresses to send to.

use std::time::Duration;

use hyper::http::Uri;

use super::error::ProviderError;
use super::route::RouteError;

/// An address to send to, and as it may be shown.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) uri: Uri,
    pub(super) shown: String,
}

impl Endpoint {
    /// Puts `path` between the base URL and its query, if it isn't there already.
    pub(super) fn new(base_url: &str, path: &str) -> Result<Self, RouteError> {
        let (base, query) = base_url
            .split_once('?')
            .map_or((base_url, None), |(base, query)| (base, Some(query)));
        let base = base.trim_end_matches('/');
        // Users paste the whole address.
        let base = base.strip_suffix("/chat/completions").unwrap_or(base);
        let query = query.map_or_else(String::new, |query| format!("?{query}"));
        let uri: Uri =
            format!("{base}{path}{query}")
                .parse()
                .map_err(|_| RouteError::BadBaseUrl {
                    reason: "isn't a URL",
                })?;
        let shown = shown(&uri);
        Ok(Self { uri, shown })
    }

    pub(super) fn timed_out(&self, stage: &'static str, waited: Duration) -> ProviderError {
        ProviderError::Timeout {
            url: self.shown.clone(),
            stage,
            waited,
        }
    }
}

/// Scheme, host, port and path: without user name, password and query.
pub(crate) fn shown(uri: &Uri) -> String {
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    let host = authority.rsplit('@').next().unwrap_or_default();
    let scheme = uri
        .scheme_str()
        .map_or_else(String::new, |scheme| format!("{scheme}://"));
    format!("{scheme}{host}{}", uri.path())
}
