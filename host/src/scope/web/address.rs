//! The tier of an address: what has to be allowed before it may be dialled.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::nat64::{Nat64Prefix, at, at_if_formed};
use super::ranges::{self, Inside, Range};

/// How far an address is from the public network, the stricter the greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Nothing is needed beside an entry for the host.
    Public,
    /// An exact entry for host and port is needed.
    Private,
    /// Reached only where the operator allows metadata services.
    Metadata,
    /// Stands for no single machine; never dialled.
    Never,
}

/// What is known of one address.
#[derive(Debug, Clone, Copy)]
pub(super) struct Class {
    range: &'static Range,
    /// The IPv4 address that it stands for, if that decides with it.
    embedded: Option<(Ipv4Addr, &'static Range)>,
}

/// The tier of an address. An IPv6 address that stands for an IPv4 address,
/// below `nat64` too, has the stricter tier of both.
pub fn tier(address: IpAddr, nat64: Option<&Nat64Prefix>) -> Tier {
    Class::of(address, nat64).tier(false)
}

/// The range that decides the tier of an address, and its source: `private use, RFC 1918`.
pub fn describe(address: IpAddr) -> &'static str {
    Class::of(address, None).range().name
}

impl Class {
    pub(super) fn of(address: IpAddr, nat64: Option<&Nat64Prefix>) -> Self {
        match address {
            IpAddr::V4(address) => Self {
                range: ranges::v4(address),
                embedded: None,
            },
            IpAddr::V6(address) => Self::v6(address, nat64),
        }
    }

    fn v6(address: Ipv6Addr, nat64: Option<&Nat64Prefix>) -> Self {
        let range = ranges::v6(address);
        let bits = address.to_bits();
        let inside = |address| Some((address, ranges::v4(address)));
        let embedded = match (nat64.and_then(|prefix| prefix.embedded(address)), range.inside) {
            (Some(address), _) => inside(address),
            (None, Inside::Nothing) => None,
            (None, Inside::Last) => inside(at(bits, 96)),
            // RFC 4380, 4: the client's address is stored inverted.
            (None, Inside::TeredoClient) => inside(at(!bits, 96)),
            // RFC 3056, 2: it follows the first 16 bits.
            (None, Inside::SixToFour) => inside(Ipv4Addr::from_bits((bits >> 80) as u32)),
            // RFC 8215 leaves the length of the prefixes below it to the network.
            (None, Inside::AnyTranslator) => [48, 56, 64]
                .into_iter()
                .filter_map(|length| at_if_formed(bits, length))
                .filter(|address| !address.is_unspecified())
                .chain((bits as u32 != 0).then(|| at(bits, 96)))
                .filter_map(inside)
                .max_by_key(|(_, range)| range.tier),
        };
        Self { range, embedded }
    }

    /// The tier, or the one that remains where metadata services are allowed.
    pub(super) fn tier(self, metadata_allowed: bool) -> Tier {
        let tier = |range: &Range| {
            if metadata_allowed {
                range.beside_metadata()
            } else {
                range.tier
            }
        };
        let embedded = self.embedded.map_or(Tier::Public, |(_, range)| tier(range));
        // A mapped address is the IPv4 address itself (RFC 4291, 2.5.5.2).
        tier(self.range).max(embedded)
    }

    /// The range that decides.
    fn range(self) -> &'static Range {
        match self.embedded {
            Some((_, inside)) if inside.tier > self.range.tier || self.range.is_mapped() => inside,
            _ => self.range,
        }
    }
}

/// `private use, RFC 1918`; with what an address stands for, where that is another one.
impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.range.name)?;
        match self.embedded {
            Some((address, range)) => write!(f, "; it stands for {address}: {}", range.name),
            None => Ok(()),
        }
    }
}
