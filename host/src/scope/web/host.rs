//! Hosts of URLs and of patterns: what the URL parser makes of them, taken only where every reader would agree.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::url_error::Shown;

/// Longest name without the last dot, in bytes (RFC 1035, 3.1: 255 on the wire).
const MAX_NAME: usize = 253;
/// Longest part of a name, in bytes (RFC 1035, 2.3.4).
const MAX_LABEL: usize = 63;

/// A host as it is compared, resolved and sent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Host {
    /// A name: ASCII, lower case, without a dot at the end.
    Name(String),
    /// An address of IP version 4.
    V4(Ipv4Addr),
    /// An address of IP version 6.
    V6(Ipv6Addr),
}

/// A host that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// A percent sign, which parsers decode or refuse.
    #[error("the host {0} has a percent sign; write its characters themselves")]
    Percent(Shown),
    /// An IPv6 address with a zone, which says through which interface.
    #[error("the address {0} has a zone id; write it without the % and what follows")]
    Zone(Shown),
    /// Brackets around something else, or none around an IPv6 address.
    #[error("the host {0} is no address of IP version 6 in brackets, as in [2001:db8::1]")]
    V6(Shown),
    /// An IPv4 address in another spelling than four decimal numbers.
    #[error("the host {written} is another spelling of the address {address}; write {address} if that is meant")]
    V4Spelling {
        /// As given.
        written: Shown,
        /// What a URL parser takes it for.
        address: Ipv4Addr,
    },
    /// A name that ends in a number and is no IPv4 address.
    #[error("the host {0} ends in a number but is no address of IP version 4, as in 192.0.2.1")]
    NoV4(Shown),
    /// Nothing before, between or after dots.
    #[error("the host {0} has an empty part before, between or after its dots")]
    EmptyLabel(Shown),
    /// A part of the name is too long.
    #[error("the host {0} has a part of more than {MAX_LABEL} bytes between dots")]
    LongLabel(Shown),
    /// The name is too long.
    #[error("the host {0} is longer than {MAX_NAME} bytes")]
    LongName(Shown),
    /// A character that no host name has.
    #[error("the host {host} has the character {character:?}; names have letters, digits, - and _")]
    Character {
        /// As given.
        host: Shown,
        /// The first such character after mapping to ASCII.
        character: char,
    },
    /// International characters without an ASCII form.
    #[error("the host {0} is no valid international name (IDNA)")]
    International(Shown),
}

impl Host {
    /// Reads a host on its own, an IPv6 address in brackets.
    ///
    /// # Errors
    /// See [`HostError`].
    pub(super) fn parse(written: &str) -> Result<Self, HostError> {
        let shown = Shown::of(written, written);
        Self::check_percent(written, &shown)?;
        let parsed = url::Host::parse(written).map_err(|error| Self::error(error, shown.clone()))?;
        Self::check(written, parsed, &shown)
    }

    /// What a percent sign in a host is: a zone in an address, else an escape.
    pub(super) fn check_percent(written: &str, shown: &Shown) -> Result<(), HostError> {
        match written.contains('%') {
            true if written.starts_with('[') => Err(HostError::Zone(shown.clone())),
            true => Err(HostError::Percent(shown.clone())),
            false => Ok(()),
        }
    }

    /// Takes what the URL parser read, if what was written is no disguise of it.
    pub(super) fn check<S: AsRef<str>>(written: &str, parsed: url::Host<S>, shown: &Shown) -> Result<Self, HostError> {
        match parsed {
            url::Host::Domain(name) => Self::name(name.as_ref(), shown),
            url::Host::Ipv6(address) => Ok(Self::V6(address)),
            url::Host::Ipv4(address) if address.to_string() == written => Ok(Self::V4(address)),
            url::Host::Ipv4(address) => Err(HostError::V4Spelling {
                written: shown.clone(),
                address,
            }),
        }
    }

    fn name(name: &str, shown: &Shown) -> Result<Self, HostError> {
        let name = name.strip_suffix('.').unwrap_or(name);
        if name.split('.').any(str::is_empty) {
            return Err(HostError::EmptyLabel(shown.clone()));
        }
        // More characters are legal in a URL; in patterns and rules they have a meaning of their own.
        let plain = |char: &char| char.is_ascii_lowercase() || char.is_ascii_digit() || "-_.".contains(*char);
        if let Some(character) = name.chars().find(|char| !plain(char)) {
            return Err(HostError::Character {
                host: shown.clone(),
                character,
            });
        }
        if name.split('.').any(|label| label.len() > MAX_LABEL) {
            return Err(HostError::LongLabel(shown.clone()));
        }
        if name.len() > MAX_NAME {
            return Err(HostError::LongName(shown.clone()));
        }
        Ok(Self::Name(name.to_owned()))
    }

    /// What the URL parser's complaint means for a host.
    pub(super) fn error(error: url::ParseError, shown: Shown) -> HostError {
        match error {
            url::ParseError::InvalidIpv4Address => HostError::NoV4(shown),
            url::ParseError::InvalidIpv6Address => HostError::V6(shown),
            url::ParseError::EmptyHost => HostError::EmptyLabel(shown),
            _ => HostError::International(shown),
        }
    }

    /// The address, if the host is one.
    pub fn address(&self) -> Option<IpAddr> {
        match self {
            Self::Name(_) => None,
            Self::V4(address) => Some(IpAddr::V4(*address)),
            Self::V6(address) => Some(IpAddr::V6(*address)),
        }
    }
}
