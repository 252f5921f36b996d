//! The address guard: whether the addresses that a URL's host leads to may be dialled.

use std::net::IpAddr;

use super::address::{Class, Tier};
use super::explain::{add, entry};
use super::host::Host;
use super::names::is_internal_name;
use super::refusal::Refusal;
use super::url_scope::{ALLOW, METADATA, OPEN_METADATA, UrlScope};
use super::web_url::WebUrl;

/// The rule that decides on addresses.
const ADDRESS: &str = "url_scope.address";

impl UrlScope {
    /// Vets every address of one resolution of the URL's host; only these may
    /// be dialled. One bad address refuses them all, since the order of
    /// answers is in the hand of whoever gave them.
    ///
    /// # Errors
    /// What refuses them.
    pub fn vet(&self, url: &WebUrl, addresses: &[IpAddr]) -> Result<(), Refusal> {
        if addresses.is_empty() {
            let reason = format!("{} leads to no address, so nothing can be dialled", url.host_text());
            return Err(refused(reason, None));
        }
        self.vet_deny(url, addresses)?;
        self.vet_past_deny(url, addresses)
    }

    pub(super) fn vet_past_deny(&self, url: &WebUrl, addresses: &[IpAddr]) -> Result<(), Refusal> {
        self.vet_tiers(url, addresses)?;
        self.vet_pins(url, addresses)?;
        self.vet_mixture(url, addresses)
    }

    /// Vets a host whose addresses only a proxy will learn: a name that means
    /// something inside a network needs an entry for exactly this host and port.
    ///
    /// # Errors
    /// What refuses it.
    pub fn vet_unresolved(&self, url: &WebUrl) -> Result<(), Refusal> {
        let exact = self.allow.iter().any(|entry| entry.matches_exact_host_port(url));
        match url.host() {
            Host::Name(name) if is_internal_name(name) && !exact => Err(refused(
                format!(
                    "{} is a name of an internal network, and what it leads to behind the proxy cannot be vetted: such \
                     names need an entry for exactly this host and port",
                    url.place()
                ),
                Some(add(url)),
            )),
            _ => Ok(()),
        }
    }

    /// Deny entries that are addresses hold for the names that lead there, too.
    fn vet_deny(&self, url: &WebUrl, addresses: &[IpAddr]) -> Result<(), Refusal> {
        for address in addresses {
            let mut denying = (0..self.deny.len()).filter(|index| self.deny[*index].denies_address(url, *address));
            if let Some(index) = denying.next() {
                let what = format!("the address {address} of {} is denied", url.place());
                let alone = denying.next().is_none() && self.vet_past_deny(url, addresses).is_ok();
                return Err(self.denied(index, what, alone));
            }
        }
        Ok(())
    }

    fn vet_tiers(&self, url: &WebUrl, addresses: &[IpAddr]) -> Result<(), Refusal> {
        let allowed = self.options.allow_metadata;
        let classes = addresses.iter().map(|address| (*address, self.class(*address)));
        let Some((address, class)) = classes.max_by_key(|(_, class)| class.tier(allowed)) else {
            return Ok(());
        };
        let exact = self.allow.iter().any(|entry| entry.matches_exact_host_port(url));
        let what = match url.host() {
            Host::Name(_) => format!("{} leads to {address} ({class})", url.place()),
            _ => format!("{} ({class})", url.place()),
        };
        match class.tier(allowed) {
            Tier::Public => Ok(()),
            Tier::Private if exact => Ok(()),
            Tier::Private => Err(refused(
                format!("{what}: private addresses need an entry for exactly this host and port"),
                Some(add(url)),
            )),
            Tier::Metadata => Err(Refusal {
                rule: METADATA.to_owned(),
                reason: format!(
                    "{what}: metadata services are opened by url_scope.allow_metadata_endpoints, by no entry"
                ),
                change: (exact || class.tier(true) == Tier::Public).then(|| OPEN_METADATA.to_owned()),
            }),
            Tier::Never => Err(refused(format!("{what}: such addresses are never dialled"), None)),
        }
    }

    fn vet_pins(&self, url: &WebUrl, addresses: &[IpAddr]) -> Result<(), Refusal> {
        let Some(pins) = self.pins(url) else {
            return Ok(());
        };
        let pinned = |address: &IpAddr| pins.iter().any(|pin| pin.to_canonical() == address.to_canonical());
        match addresses.iter().find(|address| !pinned(address)) {
            None => Ok(()),
            Some(address) => Err(refused(
                format!(
                    "{} leads to {address}, which its entry in {ALLOW} does not pin",
                    url.place()
                ),
                Some(format!(
                    "pin {address} beside the other addresses of {} in {ALLOW}",
                    url.host_text()
                )),
            )),
        }
    }

    /// A name that is public and private at once is what a rebinding looks
    /// like, so both have to be pinned.
    fn vet_mixture(&self, url: &WebUrl, addresses: &[IpAddr]) -> Result<(), Refusal> {
        let public = |address: &&IpAddr| self.class(**address).tier(self.options.allow_metadata) == Tier::Public;
        let private = addresses.iter().find(|address| !public(address));
        let (Some(_), Some(private)) = (addresses.iter().find(public), private) else {
            return Ok(());
        };
        if self.pins(url).is_some() {
            return Ok(());
        }
        let all: Vec<String> = addresses.iter().map(IpAddr::to_string).collect();
        Err(refused(
            format!(
                "{} leads to public addresses and to {private} ({}) at once: such answers have to be pinned",
                url.place(),
                self.class(*private)
            ),
            Some(format!(
                "write the entry in {ALLOW} as {:?}",
                format!("{}={}", entry(url), all.join(","))
            )),
        ))
    }

    fn class(&self, address: IpAddr) -> Class {
        Class::of(address, self.options.nat64.as_ref())
    }
}

fn refused(reason: String, change: Option<String>) -> Refusal {
    Refusal {
        rule: ADDRESS.to_owned(),
        reason,
        change,
    }
}
