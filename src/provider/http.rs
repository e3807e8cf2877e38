//! One HTTP/1.1 client over hyper: lazily made, aware of proxies, without redirects.
//!
//! Hyper rather than reqwest: 58 packages against 94 (reqwest brings `url` with its Unicode
//! tables), certificates are read on the first `https` request instead of when the client is
//! made, and redirects, which would carry the key elsewhere, don't exist. Proxy rules come with
//! hyper-util; only the connector below is ours.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::http::{HeaderValue, Request, Response, Uri};
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::client::legacy::{Client, Error};
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tower_service::Service;

/// Proxies as the usual variables name them.
#[derive(Clone, Default)]
pub struct ProxySettings {
    http: String,
    https: String,
    no: String,
}

impl ProxySettings {
    /// Reads `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY` and their lower case forms,
    /// which win, through `lookup`.
    pub fn from_lookup(lookup: &dyn Fn(&str) -> Option<String>) -> Self {
        let first = |names: &[&str]| {
            let values = names.iter().filter_map(|name| lookup(name));
            values
                .map(|value| value.trim().to_owned())
                .find(|value| !value.is_empty())
                .unwrap_or_default()
        };
        Self {
            http: first(&["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"]),
            https: first(&["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]),
            no: first(&["no_proxy", "NO_PROXY"]),
        }
    }
}

impl fmt::Debug for ProxySettings {
    /// Proxy addresses may hold passwords.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ProxySettings")
            .field("no", &self.no)
            .finish_non_exhaustive()
    }
}

/// Sends requests to one origin. Cheap to make; connections and certificates come on first use.
#[derive(Debug)]
pub(crate) struct HttpClient {
    proxies: ProxySettings,
    connect_timeout: Duration,
    client: OnceLock<Result<Client<Connector, Full<Bytes>>, SetupError>>,
}

/// A client that can't be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SetupError {
    /// No certificates, so no server could be trusted.
    #[error(
        "no CA certificates found on this system; install `ca-certificates` or set `SSL_CERT_FILE`"
    )]
    NoCertificates,
    /// The TLS library refused its settings.
    #[error("TLS setup: {0}")]
    Tls(String),
    /// SOCKS and others.
    #[error(
        "a proxy of kind `{0}` isn't supported; use an `http://` proxy or exempt the host by `NO_PROXY`"
    )]
    ProxyKind(String),
}

/// Why there is no response.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SendError {
    /// Nothing was sent.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// Connecting or exchanging went wrong.
    #[error(transparent)]
    Exchange(#[from] Error),
}

impl HttpClient {
    /// A client; does nothing yet.
    pub(crate) fn new(proxies: ProxySettings, connect_timeout: Duration) -> Self {
        Self {
            proxies,
            connect_timeout,
            client: OnceLock::new(),
        }
    }

    /// Changes the limit for connecting, TLS and proxy included.
    #[must_use]
    pub(crate) fn with_connect_timeout(self, connect_timeout: Duration) -> Self {
        Self::new(self.proxies, connect_timeout)
    }

    /// Sends a request and waits for the head of the response. Always use the same origin with
    /// one client: the way to it (TLS, proxy) is chosen by the first request.
    ///
    /// Dropping the future closes the connection.
    ///
    /// # Errors
    /// No client, no connection, or the exchange broke.
    pub(crate) async fn send(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, SendError> {
        let client = self.client.get_or_init(|| self.build(request.uri()));
        Ok(client
            .as_ref()
            .map_err(Clone::clone)?
            .request(request)
            .await?)
    }

    fn build(&self, target: &Uri) -> Result<Client<Connector, Full<Bytes>>, SetupError> {
        let connector = Connector::new(target, &self.proxies, self.connect_timeout)?;
        let mut builder = Client::builder(TokioExecutor::new());
        builder
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(Duration::from_mins(1))
            .pool_max_idle_per_host(2);
        Ok(builder.build(connector))
    }
}

/// True for `localhost`, 127.0.0.0/8 and `::1`, which never go through a proxy.
pub(crate) fn is_loopback(uri: &Uri) -> bool {
    let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
    host.eq_ignore_ascii_case("localhost")
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// The way to a server, with a bound on the time that connecting takes, TLS and proxy included.
#[derive(Clone)]
struct Connector {
    way: Way,
    limit: Duration,
}

/// One type for all ways, so that hyper's client is compiled once.
#[derive(Clone)]
enum Way {
    Plain(HttpConnector),
    /// Plain HTTP through a proxy: connects to the proxy, which gets the absolute address.
    Forward(HttpConnector, Uri),
    Tls(HttpsConnector<HttpConnector>),
    Tunnel(HttpsConnector<Tunnel<HttpConnector>>),
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;

impl Connector {
    fn new(
        target: &Uri,
        proxies: &ProxySettings,
        connect_timeout: Duration,
    ) -> Result<Self, SetupError> {
        let mut http = HttpConnector::new();
        http.enforce_http(false);
        http.set_connect_timeout(Some(connect_timeout));
        http.set_nodelay(true);
        let is_tls = target.scheme_str() == Some("https");
        let matcher = Matcher::builder()
            .http(proxies.http.as_str())
            .https(proxies.https.as_str())
            .no(proxies.no.as_str())
            .build();
        let proxy = if is_loopback(target) {
            None
        } else {
            matcher.intercept(target)
        };
        if let Some(kind) = proxy
            .as_ref()
            .and_then(|proxy| proxy.uri().scheme_str())
            .filter(|kind| *kind != "http")
        {
            return Err(SetupError::ProxyKind(kind.to_owned()));
        }
        let way = match (is_tls, proxy) {
            (false, None) => Way::Plain(http),
            (false, Some(proxy)) => Way::Forward(http, proxy.uri().clone()),
            (true, None) => Way::Tls(with_tls(http)?),
            (true, Some(proxy)) => {
                let mut tunnel = Tunnel::new(proxy.uri().clone(), http);
                if let Some(password) = proxy.basic_auth() {
                    let mut password: HeaderValue = password.clone();
                    password.set_sensitive(true);
                    tunnel = tunnel.with_auth(password);
                }
                Way::Tunnel(with_tls(tunnel)?)
            }
        };
        Ok(Self {
            way,
            limit: connect_timeout,
        })
    }
}

/// TLS with ring, passed in rather than installed for the process, and the system's certificates.
fn with_tls<C>(connector: C) -> Result<HttpsConnector<C>, SetupError> {
    let mut roots = rustls::RootCertStore::empty();
    // Single unreadable certificates are common; none at all is an error.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        return Err(SetupError::NoCertificates);
    }
    let config = rustls::ClientConfig::builder_with_provider(Arc::new(
        rustls::crypto::ring::default_provider(),
    ))
    .with_safe_default_protocol_versions()
    .map_err(|error| SetupError::Tls(error.to_string()))?
    .with_root_certificates(roots)
    .with_no_client_auth();
    Ok(HttpsConnectorBuilder::new()
        .with_tls_config(config)
        .https_only()
        .enable_http1()
        .wrap_connector(connector))
}

impl Service<Uri> for Connector {
    type Response = Stream;
    type Error = BoxError;
    type Future = Connecting;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        match &mut self.way {
            Way::Plain(http) | Way::Forward(http, _) => {
                http.poll_ready(context).map_err(Into::into)
            }
            Way::Tls(tls) => tls.poll_ready(context),
            Way::Tunnel(tls) => tls.poll_ready(context),
        }
    }

    fn call(&mut self, target: Uri) -> Self::Future {
        let limit = self.limit;
        match &mut self.way {
            Way::Plain(http) => within(limit, false, http.call(target)),
            Way::Forward(http, proxy) => within(limit, true, http.call(proxy.clone())),
            Way::Tls(tls) => within(limit, false, tls.call(target)),
            Way::Tunnel(tls) => within(limit, false, tls.call(target)),
        }
    }
}

type Connecting = Pin<Box<dyn Future<Output = Result<Stream, BoxError>> + Send>>;

fn within<F, S, E>(limit: Duration, is_forwarded: bool, connecting: F) -> Connecting
where
    F: Future<Output = Result<S, E>> + Send + 'static,
    S: Into<MaybeHttpsStream<TokioIo<TcpStream>>> + 'static,
    E: Into<BoxError> + 'static,
{
    Box::pin(async move {
        match tokio::time::timeout(limit, connecting).await {
            Ok(connected) => {
                let inner = connected.map_err(Into::into)?.into();
                Ok(Stream {
                    inner,
                    is_forwarded,
                })
            }
            Err(_) => Err(io::Error::from(io::ErrorKind::TimedOut).into()),
        }
    })
}

/// A connection; knows whether a proxy at its other end needs absolute addresses.
struct Stream {
    inner: MaybeHttpsStream<TokioIo<TcpStream>>,
    is_forwarded: bool,
}

impl Connection for Stream {
    fn connected(&self) -> Connected {
        self.inner.connected().proxy(self.is_forwarded)
    }
}

impl Read for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl Write for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write_vectored(context, buffers)
    }
}

#[cfg(test)]
mod tests;
