//! Addresses of targets that the operator chose himself: no entry is needed, and two tiers stay closed.

use std::net::IpAddr;

use super::address::{Class, Tier};
use super::nat64::Nat64Prefix;

/// An address that is not dialled even for the operator's own target.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the address {address} cannot be used ({what}); let the name resolve to another one")]
pub struct Blocked {
    /// The address.
    pub address: IpAddr,
    /// Its tier.
    pub tier: Tier,
    /// What it is.
    pub what: String,
}

/// Vets the addresses of a target from the operator's configuration: private
/// ones pass, metadata services and what stands for no single machine do not.
///
/// # Errors
/// The strictest address that is refused.
pub fn vet_chosen(addresses: &[IpAddr], nat64: Option<&Nat64Prefix>) -> Result<(), Blocked> {
    let classes = addresses.iter().map(|address| (*address, Class::of(*address, nat64)));
    match classes.max_by_key(|(_, class)| class.tier(false)) {
        Some((address, class)) if class.tier(false) >= Tier::Metadata => Err(Blocked {
            address,
            tier: class.tier(false),
            what: class.to_string(),
        }),
        _ => Ok(()),
    }
}
