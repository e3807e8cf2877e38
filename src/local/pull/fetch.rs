//! One GET, with redirects followed as far as they are safe.

use super::download::Patience;
use crate::provider::ProxySettings;
use crate::provider::connect_error::deepest;
use crate::provider::endpoint::shown;
use crate::provider::http::{HttpClient, SendError, is_loopback};
use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{ACCEPT_ENCODING, LOCATION, RANGE, USER_AGENT};
use hyper::{Request, Response, StatusCode, Uri};

const MOST_REDIRECTS: u32 = 5;

/// An answer, with the client that keeps its connection.
pub(super) struct Answer {
    pub(super) response: Response<Incoming>,
    _client: HttpClient,
}

/// Asks for what is at an address from byte `start` on. The error is a reason for people.
pub(super) async fn get(
    url: &str,
    start: u64,
    proxies: &ProxySettings,
    patience: &Patience,
) -> Result<Answer, String> {
    let mut uri: Uri = url.parse().map_err(|_| format!("`{url}` is no address"))?;
    let may_be_plain = is_loopback(&uri);
    for _ in 0..=MOST_REDIRECTS {
        match uri.scheme_str() {
            Some("https") => {}
            // Tests and a mirror on this very machine; never by the word of another machine.
            Some("http") if may_be_plain && is_loopback(&uri) => {}
            _ => return Err(format!("`{}` isn't encrypted (https)", shown(&uri))),
        }
        // A client has one origin.
        let client = HttpClient::new(proxies.clone(), patience.connect);
        let request = request(&uri, start).map_err(|error| error.to_string())?;
        let response = tokio::time::timeout(patience.stall, client.send(request))
            .await
            .map_err(|_| format!("no answer within {} s", patience.stall.as_secs()))?
            .map_err(|error| reason(&error))?;
        if !is_redirect(response.status()) {
            return Ok(Answer {
                response,
                _client: client,
            });
        }
        let location = response
            .headers()
            .get(LOCATION)
            .and_then(|location| location.to_str().ok())
            .ok_or("it redirects to nowhere")?;
        uri = resolve(&uri, location)
            .ok_or_else(|| format!("it redirects to `{}`", crate::term::one_line(location, 80)))?;
    }
    Err(format!("it redirects more than {MOST_REDIRECTS} times"))
}

fn reason(error: &SendError) -> String {
    let text = match error {
        SendError::Setup(setup) => setup.to_string(),
        SendError::Exchange(exchange) => deepest(exchange),
    };
    crate::term::one_line(&text, 200)
}

fn request(uri: &Uri, start: u64) -> Result<Request<Full<Bytes>>, hyper::http::Error> {
    let mut request = Request::get(uri)
        .header(USER_AGENT, concat!("hermes/", env!("CARGO_PKG_VERSION")))
        // A range and a checksum are of the bytes as they are.
        .header(ACCEPT_ENCODING, "identity");
    if start > 0 {
        request = request.header(RANGE, format!("bytes={start}-"));
    }
    request.body(Full::default())
}

const fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// Where a `Location` leads: a whole address, one on the same scheme or host, or one beside `from`.
fn resolve(from: &Uri, location: &str) -> Option<Uri> {
    let (scheme, authority) = (from.scheme_str()?, from.authority()?);
    // What follows `#` is never sent.
    let location = location.split('#').next().unwrap_or_default();
    let is_whole = location.split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    let whole = if is_whole {
        location.to_owned()
    } else if location.starts_with("//") {
        format!("{scheme}:{location}")
    } else if location.starts_with('/') {
        format!("{scheme}://{authority}{location}")
    } else {
        let folder = from
            .path()
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder);
        format!("{scheme}://{authority}{folder}/{location}")
    };
    whole.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn a_location_may_be_whole_or_relative() {
        let from = "https://example.com/a/b?c=d".parse().unwrap();
        for (location, expected) in [
            (
                "https://other.example/x?y=https://z",
                "https://other.example/x?y=https://z",
            ),
            ("//other.example/x", "https://other.example/x"),
            ("/x#part", "https://example.com/x"),
            ("x", "https://example.com/a/x"),
            ("/x?next=http://y", "https://example.com/x?next=http://y"),
        ] {
            assert_eq!(resolve(&from, location).unwrap().to_string(), expected);
        }
        assert_eq!(resolve(&from, "http://["), None);
    }
}
