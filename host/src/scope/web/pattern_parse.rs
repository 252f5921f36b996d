//! The grammar of entries: `[http://|https://]host[:port][=address,…]` (D-22).

use std::net::{IpAddr, Ipv6Addr};

use super::address::{Tier, tier};
use super::host::{Host, HostError};
use super::pattern::{Hosts, Pattern, Ports};
use super::web_url::Scheme;
use super::written::port_number;

/// What is wrong with a pattern; the pattern itself is not repeated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// There is no text.
    #[error("it is empty; write a host, or * for every host")]
    Empty,
    /// A blank or a control character.
    #[error("it contains a blank or a control character")]
    Blank,
    /// A scheme that cannot be fetched.
    #[error("the scheme {0:?} cannot be fetched; use https or http, or leave it out")]
    Scheme(String),
    /// A part of a URL that patterns do not have.
    #[error("it contains {0:?}; a pattern names a host and a port, no path, query or user")]
    Part(char),
    /// No host before the port or after the scheme.
    #[error("it names no host; write one, or * for every host")]
    NoHost,
    /// A port that is none.
    #[error("the port {0:?} is no number from 1 to 65535, nor *")]
    Port(String),
    /// An IPv6 address without brackets, or something else in them.
    #[error("an address of IP version 6 stands in brackets, as in [2001:db8::1]:8443")]
    Brackets,
    /// A wildcard elsewhere than in front.
    #[error("a * may stand for the whole host or for what is before a dot in front, as in *.example.com")]
    Wildcard,
    /// A wildcard before an address.
    #[error("an address has no subdomains; leave out what stands before it")]
    BelowAddress,
    /// A host that cannot be used.
    #[error(transparent)]
    Host(#[from] HostError),
    /// A pin that is no address in its usual spelling.
    #[error("the pin {0:?} is no IP address in its usual spelling, as in internal.corp=10.0.0.5")]
    Pin(String),
    /// A pin that stands for no single machine.
    #[error("the pin {0} is an address that is never dialled")]
    NeverDialled(IpAddr),
    /// Pins of something else than one name.
    #[error("addresses can be pinned for one host name only, as in internal.corp=10.0.0.5")]
    Unpinnable,
}

impl Pattern {
    /// Reads a pattern; blanks around it do not count.
    ///
    /// # Errors
    /// See [`PatternError`].
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(PatternError::Empty);
        }
        if text.chars().any(|char| char.is_whitespace() || char.is_control()) {
            return Err(PatternError::Blank);
        }
        let (scheme, rest) = match text.split_once("://") {
            None => (None, text),
            Some((name, rest)) => match Scheme::of(name) {
                Some(scheme) => (Some(scheme), rest),
                None if name.contains(URL_PARTS) => (None, text),
                None => return Err(PatternError::Scheme(name.to_owned())),
            },
        };
        if let Some(part) = rest.chars().find(|char| URL_PARTS.contains(char)) {
            return Err(PatternError::Part(part));
        }
        let (place, pins) = match rest.split_once('=') {
            Some((place, pins)) => (place, Some(pins)),
            None => (rest, None),
        };
        let (host, port) = split(place)?;
        let port = match port {
            None => Ports::Unwritten,
            Some("*") => Ports::Any,
            Some(port) => Ports::One(port_number(port).ok_or_else(|| PatternError::Port(port.to_owned()))?),
        };
        let host = hosts(host)?;
        let pins = match (pins, &host) {
            (None, _) => Vec::new(),
            (Some(pins), Hosts::One(Host::Name(_))) => pins.split(',').map(pin).collect::<Result<_, _>>()?,
            (Some(_), _) => return Err(PatternError::Unpinnable),
        };
        Ok(Self {
            text: text.to_owned(),
            scheme,
            host,
            port,
            pins,
        })
    }
}

/// What ends or escapes a host in a URL.
const URL_PARTS: [char; 6] = ['/', '?', '#', '@', '\\', '%'];

/// The host, and the port if a colon follows it.
fn split(place: &str) -> Result<(&str, Option<&str>), PatternError> {
    let (host, rest) = if place.starts_with('[') {
        let end = place.find(']').ok_or(PatternError::Brackets)? + 1;
        place.split_at(end)
    } else {
        place.split_at(place.find(':').unwrap_or(place.len()))
    };
    match rest.strip_prefix(':') {
        Some(port) if port.contains(':') => Err(PatternError::Brackets),
        Some(_) if host.is_empty() => Err(PatternError::NoHost),
        Some(port) => Ok((host, Some(port))),
        None if rest.is_empty() => Ok((host, None)),
        None => Err(PatternError::Brackets),
    }
}

fn hosts(host: &str) -> Result<Hosts, PatternError> {
    if host.is_empty() {
        return Err(PatternError::NoHost);
    }
    if host == "*" {
        return Ok(Hosts::Any);
    }
    // A leading dot is another spelling of a leading *.
    let below = host.strip_prefix("*.").or_else(|| host.strip_prefix('.'));
    let name = below.unwrap_or(host);
    if name.contains('*') {
        return Err(PatternError::Wildcard);
    }
    match (below, Host::parse(name)?) {
        (None, host) => Ok(Hosts::One(host)),
        (Some(_), Host::Name(name)) => Ok(Hosts::Below(name)),
        (Some(_), _) => Err(PatternError::BelowAddress),
    }
}

fn pin(text: &str) -> Result<IpAddr, PatternError> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let address = match bare {
        Some(bare) => bare.parse::<Ipv6Addr>().map(IpAddr::V6),
        None => text.parse::<IpAddr>(),
    };
    let address = address.map_err(|_| PatternError::Pin(text.to_owned()))?;
    if !address.to_string().eq_ignore_ascii_case(bare.unwrap_or(text)) {
        return Err(PatternError::Pin(text.to_owned()));
    }
    if tier(address, None) == Tier::Never {
        return Err(PatternError::NeverDialled(address));
    }
    Ok(address)
}
