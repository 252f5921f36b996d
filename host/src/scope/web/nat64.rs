//! IPv4 addresses inside IPv6 addresses of a translator (RFC 6052).

use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// The prefix under which a network's translator (NAT64) shows IPv4 addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Nat64Prefix {
    prefix: u128,
    length: u32,
}

/// A text that is no such prefix.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no NAT64 prefix; write one like 2001:db8:64::/96, of length 32, 40, 48, 56, 64 or 96, bits 64 to 71 zero"
)]
pub struct Nat64Error(String);

/// Bits 64 to 71, zero in every such address (RFC 6052, 2.2).
const U_OCTET: u128 = 0xff << 56;

impl Nat64Prefix {
    /// The address that is shown here as `address`, if it is below this prefix.
    pub fn embedded(&self, address: Ipv6Addr) -> Option<Ipv4Addr> {
        (address.to_bits() & mask(self.length) == self.prefix).then(|| at(address.to_bits(), self.length))
    }
}

impl FromStr for Nat64Prefix {
    type Err = Nat64Error;

    fn from_str(text: &str) -> Result<Self, Nat64Error> {
        let read = || {
            let (prefix, length) = text.split_once('/')?;
            let prefix = prefix.parse::<Ipv6Addr>().ok()?.to_bits();
            let length = length.parse().ok()?;
            let fits = matches!(length, 32 | 40 | 48 | 56 | 64 | 96) && prefix & !mask(length) == 0;
            (fits && prefix & U_OCTET == 0).then_some(Self { prefix, length })
        };
        read().ok_or_else(|| Nat64Error(text.to_owned()))
    }
}

/// The first `length` bits, 1 to 128.
pub(super) fn mask(length: u32) -> u128 {
    u128::MAX << (128 - length)
}

/// The IPv4 address after a prefix of this length; it steps over bits 64 to 71.
pub(super) fn at(address: u128, length: u32) -> Ipv4Addr {
    let without_u = ((address >> 64) << 64) | ((address & (u128::MAX >> 72)) << 8);
    let address = if length < 96 { without_u } else { address };
    // Truncation takes the 32 bits that end where the shift does.
    Ipv4Addr::from_bits((address >> (96 - length)) as u32)
}

/// The same, if the address has the form that RFC 6052 gives it: zeros in bits
/// 64 to 71 and after the IPv4 address.
pub(super) fn at_if_formed(address: u128, length: u32) -> Option<Ipv4Addr> {
    let suffix = u128::MAX >> (length + 40);
    (address & (U_OCTET | suffix) == 0).then(|| at(address, length))
}
