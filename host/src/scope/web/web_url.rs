//! A URL that can be fetched, parsed once; everything else is derived from this value.

use std::fmt;

use url::Url;

use super::host::Host;
use super::url_error::{MAX_URL, UrlError};
use super::written::{Written, check_text, scheme};

/// The schemes that can be fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// Without protection.
    Http,
    /// Over TLS.
    Https,
}

impl Scheme {
    /// The scheme of this name, in any case.
    pub(super) fn of(name: &str) -> Option<Self> {
        [Self::Http, Self::Https]
            .into_iter()
            .find(|scheme| name.eq_ignore_ascii_case(scheme.name()))
    }

    /// `http` or `https`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    /// The port where none is written (RFC 9110, 4.2).
    pub fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

/// An absolute http or https URL, normalised: host in ASCII and lower case
/// without a dot at the end, no default port, no fragment, no credentials.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WebUrl {
    url: Url,
    scheme: Scheme,
    host: Host,
    port: u16,
}

impl WebUrl {
    /// Reads an absolute URL. What a parser would have to repair is refused,
    /// and so is what two parsers could read differently.
    ///
    /// # Errors
    /// See [`UrlError`].
    pub fn parse(text: &str) -> Result<Self, UrlError> {
        if text.is_empty() {
            return Err(UrlError::Empty);
        }
        check_text(text)?;
        let written = Written::read(text)?;
        let mut url = Url::parse(text).map_err(|error| match error {
            url::ParseError::InvalidPort | url::ParseError::Overflow => UrlError::Unreadable(error),
            error => UrlError::Host(Host::error(error, written.shown.clone())),
        })?;
        let host = Host::check(written.host, url.host().ok_or(UrlError::NoHost)?, &written.shown)?;
        if let Host::Name(name) = &host
            && url.host_str() != Some(name)
        {
            url.set_host(Some(name)).map_err(UrlError::Unreadable)?;
        }
        Self::new(url, host)
    }

    /// The URL that a link or a redirect to `location` leads to: a relative
    /// form, `//host/path`, or an absolute URL, which is read as by [`Self::parse`].
    ///
    /// # Errors
    /// See [`UrlError`].
    pub fn join(&self, location: &str) -> Result<Self, UrlError> {
        check_text(location)?;
        if scheme(location).is_some() {
            return Self::parse(location);
        }
        let is_slash = |byte: Option<&u8>| matches!(byte, Some(b'/' | b'\\'));
        let start = location.as_bytes();
        if is_slash(start.first()) && is_slash(start.get(1)) {
            return Self::parse(&format!("{}:{location}", self.scheme.name()));
        }
        let url = self.url.join(location).map_err(UrlError::Unreadable)?;
        // A relative form stays on its host; the parser's own answer is held to that.
        if url.origin() != self.url.origin() {
            return Err(UrlError::NoHost);
        }
        Self::new(url, self.host.clone())
    }

    fn new(mut url: Url, host: Host) -> Result<Self, UrlError> {
        let scheme = Scheme::of(url.scheme()).ok_or(UrlError::NoScheme)?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(UrlError::Credentials);
        }
        url.set_fragment(None);
        if url.as_str().len() > MAX_URL {
            return Err(UrlError::TooLong);
        }
        let port = url.port().unwrap_or(scheme.default_port());
        Ok(Self {
            url,
            scheme,
            host,
            port,
        })
    }

    /// The parsed value, for the request.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The normalised text.
    pub fn as_str(&self) -> &str {
        self.url.as_str()
    }

    /// http or https.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Whether requests go over TLS.
    pub fn is_https(&self) -> bool {
        self.scheme() == Scheme::Https
    }

    /// The host.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The host as it stands in the URL: an IPv6 address in brackets.
    pub fn host_text(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// The port, that of the scheme where none is written.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Whether the port is that of the scheme.
    pub fn is_default_port(&self) -> bool {
        self.port == self.scheme.default_port()
    }

    /// Scheme, host, and the port unless it is that of the scheme: `https://x:8443`.
    pub fn origin(&self) -> String {
        match self.is_default_port() {
            true => format!("{}://{}", self.scheme.name(), self.host_text()),
            false => self.place(),
        }
    }

    /// Scheme, host and port, for messages: `https://x:443`.
    pub(super) fn place(&self) -> String {
        format!("{}://{}:{}", self.scheme.name(), self.host_text(), self.port)
    }
}

impl fmt::Display for WebUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
