//! Ranges of addresses that are not simply public, from IANA's special-purpose registries and from cloud providers.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::address::Tier;
use super::address::Tier::{Metadata, Never, Private, Public};
use super::nat64::mask;

/// One range, with its source.
#[derive(Debug)]
pub(super) struct Range {
    /// First address; of version 4 in the last 32 bits.
    first: u128,
    /// Length of the prefix, out of 128 bits.
    length: u32,
    pub(super) tier: Tier,
    /// What it is for, and who says so.
    pub(super) name: &'static str,
    pub(super) inside: Inside,
}

/// Where an IPv6 address of a range holds an IPv4 address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inside {
    Nothing,
    /// In the last 32 bits.
    Last,
    /// In the last 32 bits, inverted.
    TeredoClient,
    /// In bits 16 to 47.
    SixToFour,
    /// After a prefix of a length that is not known.
    AnyTranslator,
}

impl Range {
    fn holds(&self, bits: u128) -> bool {
        bits & mask(self.length) == self.first
    }

    /// The tier without regard to metadata services: that of the range around it.
    pub(super) fn beside_metadata(&self) -> Tier {
        if self.tier != Metadata {
            return self.tier;
        }
        let table = if self.first >> 32 == 0 { V4 } else { V6 };
        let around = |range: &&Range| range.tier != Metadata && range.length < self.length && range.holds(self.first);
        table.iter().find(around).map_or(Public, |range| range.tier)
    }

    pub(super) fn is_mapped(&self) -> bool {
        self.first == MAPPED.to_bits()
    }
}

/// The most specific range of an IPv4 address.
pub(super) fn v4(address: Ipv4Addr) -> &'static Range {
    find(V4, u128::from(address.to_bits())).unwrap_or(&PUBLIC)
}

/// The most specific range of an IPv6 address; what IANA has given to nobody is not public.
pub(super) fn v6(address: Ipv6Addr) -> &'static Range {
    let bits = address.to_bits();
    let otherwise = if bits >> 125 == 1 { &PUBLIC } else { &UNASSIGNED };
    find(V6, bits).unwrap_or(otherwise)
}

fn find(table: &'static [Range], bits: u128) -> Option<&'static Range> {
    table.iter().find(|range| range.holds(bits))
}

const MAPPED: Ipv6Addr = Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0);

static PUBLIC: Range = range(0, 0, Public, "public");
static UNASSIGNED: Range = range(
    0,
    0,
    Private,
    "outside of 2000::/3, the space for public addresses, RFC 4291",
);

const fn range(first: u128, length: u32, tier: Tier, name: &'static str) -> Range {
    let inside = Inside::Nothing;
    Range {
        first,
        length,
        tier,
        name,
        inside,
    }
}

const fn four(a: u8, b: u8, c: u8, d: u8, length: u32, tier: Tier, name: &'static str) -> Range {
    range(Ipv4Addr::new(a, b, c, d).to_bits() as u128, 96 + length, tier, name)
}

const fn six(first: [u16; 8], length: u32, tier: Tier, name: &'static str) -> Range {
    let [a, b, c, d, e, f, g, h] = first;
    range(Ipv6Addr::new(a, b, c, d, e, f, g, h).to_bits(), length, tier, name)
}

const fn holding(inside: Inside, range: Range) -> Range {
    Range { inside, ..range }
}

/// Within each table a narrower range stands before the ranges around it.
#[rustfmt::skip] // one range, one line
static V4: &[Range] = &[
    four(100, 100, 100, 200, 32, Metadata, "metadata service, Alibaba Cloud"),
    four(168, 63, 129, 16, 32, Metadata, "platform service (wire server), Microsoft Azure"),
    four(255, 255, 255, 255, 32, Never, "limited broadcast, RFC 919"),
    four(0, 0, 0, 0, 8, Never, "this network, RFC 791"),
    four(10, 0, 0, 0, 8, Private, "private use, RFC 1918"),
    four(100, 64, 0, 0, 10, Private, "shared address space, RFC 6598"),
    four(127, 0, 0, 0, 8, Private, "loopback, RFC 1122"),
    four(169, 254, 0, 0, 16, Metadata, "link-local, RFC 3927, and metadata services"),
    four(172, 16, 0, 0, 12, Private, "private use, RFC 1918"),
    four(192, 0, 0, 0, 24, Metadata, "IETF protocol assignments, RFC 6890, and a metadata service"),
    four(192, 0, 2, 0, 24, Private, "documentation, RFC 5737"),
    four(192, 88, 99, 0, 24, Private, "former 6to4 relays, RFC 7526"),
    four(192, 168, 0, 0, 16, Private, "private use, RFC 1918"),
    four(198, 18, 0, 0, 15, Private, "benchmarking, RFC 2544"),
    four(198, 51, 100, 0, 24, Private, "documentation, RFC 5737"),
    four(203, 0, 113, 0, 24, Private, "documentation, RFC 5737"),
    four(224, 0, 0, 0, 4, Never, "multicast, RFC 5771"),
    four(240, 0, 0, 0, 4, Private, "reserved, RFC 1112"),
];

#[rustfmt::skip] // one range, one line
static V6: &[Range] = &[
    six([0; 8], 128, Never, "unspecified, RFC 4291"),
    six([0, 0, 0, 0, 0, 0, 0, 1], 128, Private, "loopback, RFC 4291"),
    holding(Inside::Last, six([0; 8], 96, Private, "IPv4-compatible, RFC 4291")),
    holding(Inside::Last, six([0, 0, 0, 0, 0, 0xffff, 0, 0], 96, Public, "IPv4-mapped, RFC 4291")),
    holding(Inside::Last, six([0, 0, 0, 0, 0xffff, 0, 0, 0], 96, Private, "IPv4-translated, RFC 2765")),
    holding(Inside::Last, six([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96, Private, "NAT64, RFC 6052")),
    holding(Inside::AnyTranslator, six([0x64, 0xff9b, 1, 0, 0, 0, 0, 0], 48, Private, "local NAT64, RFC 8215")),
    six([0x100, 0, 0, 0, 0, 0, 0, 0], 64, Private, "discard-only, RFC 6666"),
    holding(Inside::TeredoClient, six([0x2001, 0, 0, 0, 0, 0, 0, 0], 32, Private, "Teredo, RFC 4380")),
    six([0x2001, 1, 0, 0, 0, 0, 0, 1], 128, Public, "Port Control Protocol anycast, RFC 7723"),
    six([0x2001, 1, 0, 0, 0, 0, 0, 2], 128, Public, "TURN anycast, RFC 8155"),
    six([0x2001, 1, 0, 0, 0, 0, 0, 3], 128, Public, "service registration anycast, RFC 9665"),
    six([0x2001, 3, 0, 0, 0, 0, 0, 0], 32, Public, "multicast tunnels (AMT), RFC 7450"),
    six([0x2001, 4, 0x112, 0, 0, 0, 0, 0], 48, Public, "AS112, RFC 7535"),
    six([0x2001, 0x10, 0, 0, 0, 0, 0, 0], 28, Private, "former ORCHID, RFC 4843"),
    six([0x2001, 0x20, 0, 0, 0, 0, 0, 0], 28, Private, "ORCHIDv2, RFC 7343"),
    six([0x2001, 0x30, 0, 0, 0, 0, 0, 0], 28, Public, "drone identifiers, RFC 9374"),
    six([0x2001, 0, 0, 0, 0, 0, 0, 0], 23, Private, "IETF protocol assignments, RFC 2928"),
    six([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32, Private, "documentation, RFC 3849"),
    holding(Inside::SixToFour, six([0x2002, 0, 0, 0, 0, 0, 0, 0], 16, Private, "6to4, RFC 3056")),
    six([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20, Private, "documentation, RFC 9637"),
    six([0x5f00, 0, 0, 0, 0, 0, 0, 0], 16, Private, "segment routing, RFC 9602"),
    six([0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254], 128, Metadata, "metadata service, Amazon EC2"),
    six([0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23], 128, Metadata, "pod credentials, Amazon EKS"),
    six([0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254], 128, Metadata, "metadata service, Google Cloud"),
    six([0xfd00, 0xc1, 0, 0, 0, 0, 0xa9fe, 0xa9fe], 128, Metadata, "metadata service, Oracle Cloud"),
    six([0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42], 128, Metadata, "metadata service, Scaleway"),
    six([0xfd00, 0xa9fe, 0xa9fe, 0, 0, 0, 0, 1], 128, Metadata, "metadata service, Akamai (Linode)"),
    six([0xfd00, 0x100, 0, 0, 0, 0, 0x100, 0x200], 128, Metadata, "metadata service, Alibaba Cloud"),
    six([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7, Private, "unique local, RFC 4193"),
    six([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10, Metadata, "link-local, RFC 4291, and metadata services"),
    six([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10, Private, "former site-local, RFC 3879"),
    six([0xff00, 0, 0, 0, 0, 0, 0, 0], 8, Never, "multicast, RFC 4291"),
];
