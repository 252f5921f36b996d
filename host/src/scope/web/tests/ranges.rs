//! Tiers at both ends of every range, against a list in its usual notation.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::scope::web::Tier::{Metadata, Never, Private, Public};
use crate::scope::web::{Tier, describe, tier};

/// Prefixes of IPv4 addresses that are not public, from the narrowest to the widest.
const V4: &[(&str, Tier)] = &[
    ("255.255.255.255/32", Never),
    ("168.63.129.16/32", Metadata),
    ("100.100.100.200/32", Metadata),
    ("192.0.0.0/24", Metadata),
    ("192.0.2.0/24", Private),
    ("192.88.99.0/24", Private),
    ("198.51.100.0/24", Private),
    ("203.0.113.0/24", Private),
    ("169.254.0.0/16", Metadata),
    ("192.168.0.0/16", Private),
    ("198.18.0.0/15", Private),
    ("172.16.0.0/12", Private),
    ("100.64.0.0/10", Private),
    ("0.0.0.0/8", Never),
    ("10.0.0.0/8", Private),
    ("127.0.0.0/8", Private),
    ("224.0.0.0/4", Never),
    ("240.0.0.0/4", Private),
];

/// The same for IPv6, beside those that hold an IPv4 address.
const V6: &[(&str, Tier)] = &[
    ("::/128", Never),
    ("::1/128", Private),
    ("fd00:ec2::254/128", Metadata),
    ("fd00:ec2::23/128", Metadata),
    ("fd20:ce::254/128", Metadata),
    ("fd00:c1::a9fe:a9fe/128", Metadata),
    ("fd00:42::42/128", Metadata),
    ("fd00:a9fe:a9fe::1/128", Metadata),
    ("fd00:100::100:200/128", Metadata),
    ("2001:1::1/128", Public),
    ("2001:1::2/128", Public),
    ("2001:1::3/128", Public),
    ("100::/64", Private),
    ("2001:4:112::/48", Public),
    ("2001:3::/32", Public),
    ("2001:db8::/32", Private),
    ("2001:10::/28", Private),
    ("2001:20::/28", Private),
    ("2001:30::/28", Public),
    ("2001::/23", Private),
    ("3fff::/20", Private),
    ("5f00::/16", Private),
    ("fe80::/10", Metadata),
    ("fec0::/10", Private),
    ("ff00::/8", Never),
    ("fc00::/7", Private),
    ("2000::/3", Public),
    ("::/0", Private),
];

/// Prefixes whose addresses hold an IPv4 address, so that it decides, too.
const HOLDING: &[&str] = &[
    "::/96",
    "::ffff:0:0/96",
    "::ffff:0:0:0/96",
    "64:ff9b::/96",
    "64:ff9b:1::/48",
    "2001::/32",
    "2002::/16",
];

fn prefix(text: &str) -> (u128, u128) {
    let (first, length) = text.split_once('/').unwrap();
    let length: u32 = length.parse().unwrap();
    let (first, width) = match first.parse().unwrap() {
        IpAddr::V4(address) => (u128::from(address.to_bits()), 32),
        IpAddr::V6(address) => (address.to_bits(), 128),
    };
    let size = 1u128.checked_shl(width - length);
    (first, size.map_or(u128::MAX, |size| first + (size - 1)))
}

fn expected(table: &[(&str, Tier)], bits: u128) -> Tier {
    let holds = |text: &str| {
        let (first, last) = prefix(text);
        (first..=last).contains(&bits)
    };
    table
        .iter()
        .find(|(text, _)| holds(text))
        .map_or(Public, |(_, tier)| *tier)
}

#[test]
fn both_ends_of_ipv4_ranges() {
    for (text, _) in V4 {
        let (first, last) = prefix(text);
        for bits in [first.wrapping_sub(1), first, last, last + 1] {
            let Ok(bits) = u32::try_from(bits) else { continue };
            let address = Ipv4Addr::from_bits(bits);
            let wanted = expected(V4, u128::from(bits));
            assert_eq!(tier(address.into(), None), wanted, "{address}");
            // The same address by its other names; only the first of them can be public.
            let inside = |high: u128| tier(IpAddr::V6(Ipv6Addr::from_bits(high | u128::from(bits))), None);
            let mapped = address.to_ipv6_mapped();
            assert_eq!(tier(mapped.into(), None), wanted, "{mapped}");
            assert_eq!(inside(0xffff << 48), wanted.max(Private), "translated {address}");
            assert_eq!(inside(0x64_ff9b << 96), wanted.max(Private), "NAT64 {address}");
            let six_to_four = Ipv6Addr::from_bits((0x2002 << 112) | (u128::from(bits) << 80) | 1);
            assert_eq!(tier(six_to_four.into(), None), wanted.max(Private), "{six_to_four}");
            let teredo = Ipv6Addr::from_bits((0x2001_0000 << 96) | u128::from(!bits));
            assert_eq!(tier(teredo.into(), None), wanted.max(Private), "{teredo}");
        }
    }
}

#[test]
fn both_ends_of_ipv6_ranges() {
    let holding = |bits: u128| {
        HOLDING
            .iter()
            .map(|text| prefix(text))
            .any(|(first, last)| (first..=last).contains(&bits))
    };
    let mut seen = 0;
    for text in V6.iter().map(|(text, _)| *text).chain(HOLDING.iter().copied()) {
        let (first, last) = prefix(text);
        for bits in [first.wrapping_sub(1), first, last, last.wrapping_add(1)] {
            let address = Ipv6Addr::from_bits(bits);
            // What these two are is no matter of an address inside.
            if holding(bits) && bits > 1 {
                assert!(
                    tier(address.into(), None) >= Private || address.to_ipv4_mapped().is_some(),
                    "{address}"
                );
                continue;
            }
            seen += 1;
            assert_eq!(tier(address.into(), None), expected(V6, bits), "{address}");
        }
    }
    assert!(seen > 90, "{seen}");
}

#[test]
fn every_ipv4_block_of_16_bits() {
    for high in 0..=u16::MAX {
        for low in [0, 0xffff] {
            let bits = (u32::from(high) << 16) | low;
            let address = Ipv4Addr::from_bits(bits);
            assert_eq!(tier(address.into(), None), expected(V4, u128::from(bits)), "{address}");
        }
    }
}

/// What the standard library knows of addresses is an independent view of most ranges.
#[test]
fn nothing_public_is_special_to_the_standard_library() {
    for bits in (0..=u32::MAX).step_by(65_521) {
        let address = Ipv4Addr::from_bits(bits);
        let special = address.is_private()
            || address.is_loopback()
            || address.is_link_local()
            || address.is_multicast()
            || address.is_broadcast()
            || address.is_documentation()
            || address.is_unspecified();
        assert!(!special || tier(address.into(), None) != Public, "{address}");
    }
}

#[test]
fn ranges_are_named_with_their_source() {
    for (address, name) in [
        ("10.0.0.5", "private use, RFC 1918"),
        ("8.8.8.8", "public"),
        ("::ffff:10.0.0.5", "private use, RFC 1918"),
        ("64:ff9b::a9fe:a9fe", "link-local, RFC 3927, and metadata services"),
        ("64:ff9b::808:808", "NAT64, RFC 6052"),
        ("fd00::1", "unique local, RFC 4193"),
        (
            "4000::",
            "outside of 2000::/3, the space for public addresses, RFC 4291",
        ),
    ] {
        assert_eq!(describe(address.parse().unwrap()), name, "{address}");
    }
}
