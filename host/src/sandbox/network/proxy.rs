//! Whether a request goes through a proxy, and through which.

use http::{HeaderValue, Uri};
use hyper_util::client::proxy::matcher::{Intercept, Matcher};

use crate::scope::web::WebUrl;

/// The proxy of the configuration.
pub(super) enum Proxy {
    /// Every request goes straight to its host, whatever the environment says.
    None,
    /// `url_scope.proxy`: one URL, or what the environment says.
    Some(Box<Matcher>),
}

/// A proxy on the way of one request.
#[derive(Debug, Clone)]
pub(super) struct Via {
    pub(super) kind: Kind,
    pub(super) host: String,
    pub(super) port: u16,
    /// The value of `Proxy-Authorization`.
    pub(super) basic: Option<HeaderValue>,
    /// User and password, for SOCKS.
    pub(super) login: Option<(String, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Http,
    Https,
    Socks5,
}

impl Proxy {
    /// Of a valid `url_scope.proxy`.
    pub(super) fn new(text: &str) -> Self {
        match text {
            "" => Self::None,
            "env" => Self::Some(Box::new(Matcher::from_env())),
            url => Self::Some(Box::new(Matcher::builder().all(url.to_owned()).build())),
        }
    }

    /// The proxy for a URL, if one is to be used.
    pub(super) fn via(&self, url: &WebUrl) -> Option<Via> {
        let Self::Some(matcher) = self else {
            return None;
        };
        let uri: Uri = url.as_str().parse().ok()?;
        via(&matcher.intercept(&uri)?)
    }
}

fn via(intercept: &Intercept) -> Option<Via> {
    let uri = intercept.uri();
    let (kind, port) = match uri.scheme_str()? {
        "http" => (Kind::Http, 80),
        "https" => (Kind::Https, 443),
        "socks5" | "socks5h" => (Kind::Socks5, 1080),
        _ => return None,
    };
    Some(Via {
        kind,
        host: uri.host()?.trim_matches(['[', ']']).to_owned(),
        port: uri.port_u16().unwrap_or(port),
        basic: intercept.basic_auth().cloned(),
        login: intercept
            .raw_auth()
            .map(|(user, password)| (user.to_owned(), password.to_owned())),
    })
}

impl Via {
    /// The proxy as messages name it: without credentials.
    pub(super) fn shown(&self) -> String {
        let scheme = match self.kind {
            Kind::Http => "http",
            Kind::Https => "https",
            Kind::Socks5 => "socks5",
        };
        format!("{scheme}://{}:{}", self.host, self.port)
    }
}
