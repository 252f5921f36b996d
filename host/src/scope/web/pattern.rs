//! One entry of `url_scope`: which hosts it speaks of, over which scheme, on which ports.

use std::fmt;
use std::net::IpAddr;

use super::host::Host;
use super::web_url::{Scheme, WebUrl};

/// A parsed pattern, `[scheme://]host[:port][=address,…]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// As written, without blanks around it.
    pub(super) text: String,
    pub(super) scheme: Option<Scheme>,
    pub(super) host: Hosts,
    pub(super) port: Ports,
    pub(super) pins: Vec<IpAddr>,
}

/// Which hosts a pattern means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Hosts {
    /// `*`
    Any,
    /// `*.name` or `.name`: every subdomain, not the name itself.
    Below(String),
    /// One host.
    One(Host),
}

/// Which ports a pattern means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ports {
    /// None is written.
    Unwritten,
    /// This one.
    One(u16),
    /// `*`
    Any,
}

impl Pattern {
    /// Whether an entry of `url_scope.allow` admits the URL. Without a scheme
    /// or with https it admits https only, with http both; without a port it
    /// admits the scheme's own.
    pub fn matches_allow(&self, url: &WebUrl) -> bool {
        self.allows_scheme(url.scheme()) && self.matches_host(url) && self.matches_port(url)
    }

    /// Whether an entry of `url_scope.deny` refuses the URL: on every scheme
    /// and port, unless it names them. As in allow, http stands for both schemes.
    pub fn matches_deny(&self, url: &WebUrl) -> bool {
        self.denies_on(url) && self.matches_host(url)
    }

    /// Whether an entry of `url_scope.deny` refuses an address that the URL's name leads to.
    pub(super) fn denies_address(&self, url: &WebUrl, address: IpAddr) -> bool {
        let same = |own: IpAddr| own.to_canonical() == address.to_canonical();
        self.denies_on(url) && matches!(&self.host, Hosts::One(host) if host.address().is_some_and(same))
    }

    fn denies_on(&self, url: &WebUrl) -> bool {
        let scheme = self.scheme != Some(Scheme::Https) || url.scheme() == Scheme::Https;
        scheme && (self.port == Ports::Unwritten || self.matches_port(url))
    }

    /// Whether the pattern names one host and nothing beside it.
    pub fn is_exact(&self) -> bool {
        matches!(self.host, Hosts::One(_))
    }

    /// Whether the pattern names the URL's host itself, and admits its port;
    /// schemes are not looked at.
    pub fn matches_exact_host_port(&self, url: &WebUrl) -> bool {
        self.is_exact() && self.matches_host(url) && self.matches_port(url)
    }

    /// Whether the pattern admits the URL's host, by name or wildcard.
    pub(super) fn matches_host(&self, url: &WebUrl) -> bool {
        match (&self.host, url.host()) {
            (Hosts::Any, _) => true,
            (Hosts::Below(top), Host::Name(name)) => name
                .strip_suffix(top.as_str())
                .is_some_and(|before| before.ends_with('.')),
            (Hosts::Below(_), _) => false,
            (Hosts::One(own), host) => own == host,
        }
    }

    /// Whether the pattern admits the URL's port; one that is not written is that of the URL's scheme.
    pub(super) fn matches_port(&self, url: &WebUrl) -> bool {
        match self.port {
            Ports::Unwritten => url.is_default_port(),
            Ports::One(port) => port == url.port(),
            Ports::Any => true,
        }
    }

    /// Whether an entry of `url_scope.allow` admits this scheme.
    pub(super) fn allows_scheme(&self, scheme: Scheme) -> bool {
        scheme == Scheme::Https || self.scheme == Some(Scheme::Http)
    }

    /// The scheme that is written.
    pub fn scheme(&self) -> Option<Scheme> {
        self.scheme
    }

    /// The port that is written as a number.
    pub fn port(&self) -> Option<u16> {
        match self.port {
            Ports::One(port) => Some(port),
            _ => None,
        }
    }

    /// The only addresses that the host may have; empty where none are pinned.
    pub fn pins(&self) -> &[IpAddr] {
        &self.pins
    }

    /// What orders patterns that match the same URL: an exact host before
    /// wildcards, a longer host before a shorter one, a written port before any port.
    pub(super) fn specificity(&self) -> (u8, usize, u8) {
        let (kind, length) = match &self.host {
            Hosts::Any => (0, 0),
            Hosts::Below(name) => (1, name.len()),
            Hosts::One(_) => (2, 0),
        };
        let port = match self.port {
            Ports::Any => 0,
            Ports::Unwritten => 1,
            Ports::One(_) => 2,
        };
        (kind, length, port)
    }

    /// What the operator should know about an entry that is legal.
    pub fn remark(&self) -> Option<String> {
        match &self.host {
            Hosts::Below(name) if !name.contains('.') => Some(format!(
                "it covers every host below the top-level domain .{name}; write the domains that are meant, \
                 as in *.example.{name}"
            )),
            _ => None,
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
