//! Broken connections → [`ProviderError`].

use std::error::Error;
use std::io;

use super::classify;
use super::error::{ConnectFault, ProviderError};
use super::http::SendError;

/// Explains a request that got no response.
pub(super) fn send_error(error: &SendError, url: &str) -> ProviderError {
    let url = url.to_owned();
    let exchange = match error {
        SendError::Setup(setup) => {
            return ProviderError::Connect {
                url,
                fault: ConnectFault::Setup,
                detail: setup.to_string(),
            };
        }
        SendError::Exchange(exchange) => exchange,
    };
    let detail = classify::one_line(&deepest(exchange), 200);
    if !exchange.is_connect() {
        return ProviderError::Disconnected { url, detail };
    }
    let causes = std::iter::successors(Some(exchange as &(dyn Error + 'static)), |error| {
        cause(*error)
    });
    let fault = causes
        .filter_map(connect_fault)
        .last()
        .unwrap_or(ConnectFault::Other);
    ProviderError::Connect { url, fault, detail }
}

fn connect_fault(error: &(dyn Error + 'static)) -> Option<ConnectFault> {
    if error.is::<rustls::Error>() {
        return Some(ConnectFault::Tls);
    }
    match error.downcast_ref::<io::Error>().map(io::Error::kind) {
        Some(io::ErrorKind::ConnectionRefused) => Some(ConnectFault::Refused),
        Some(io::ErrorKind::TimedOut) => Some(ConnectFault::Timeout),
        // hyper-util keeps the type of this one to itself.
        None if error.to_string() == "dns error" => Some(ConnectFault::Dns),
        _ => None,
    }
}

/// What is behind an error. I/O errors leave out the error they wrap when asked for their source.
fn cause<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e (dyn Error + 'static)> {
    match error
        .downcast_ref::<io::Error>()
        .and_then(io::Error::get_ref)
    {
        Some(inner) => Some(inner as &(dyn Error + 'static)),
        None => error.source(),
    }
}

/// The innermost cause, which is the one that says something.
pub(crate) fn deepest(error: &(dyn Error + 'static)) -> String {
    let mut innermost = error;
    while let Some(inner) = cause(innermost) {
        innermost = inner;
    }
    innermost.to_string()
}
