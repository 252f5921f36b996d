//! The URL scope: entries that admit hosts, entries that refuse them, and the answer for one URL.

use std::net::IpAddr;

use super::address::{Class, Tier};
use super::host::Host;
use super::names::is_metadata_name;
use super::nat64::Nat64Prefix;
use super::pattern::{Hosts, Pattern};
use super::refusal::Refusal;
use super::scope_error::UrlScopeError;
use super::web_url::{Scheme, WebUrl};

/// What an operator sets beside the entries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether requests may reach metadata services of cloud machines.
    pub allow_metadata: bool,
    /// The translator's prefix in this network, where it has one of its own.
    pub nat64: Option<Nat64Prefix>,
}

/// Which URLs may be asked for, and which addresses dialled for them.
/// Without an entry in `allow` there are none.
#[derive(Debug, Clone, Default)]
pub struct UrlScope {
    pub(super) allow: Vec<Pattern>,
    pub(super) deny: Vec<Pattern>,
    pub(super) options: Options,
}

pub(super) const ALLOW: &str = "url_scope.allow";
const DENY: &str = "url_scope.deny";
/// The rule that decides on names and addresses of metadata services.
pub(super) const METADATA: &str = "url_scope.metadata";
/// The change that opens metadata services.
pub(super) const OPEN_METADATA: &str = "set url_scope.allow_metadata_endpoints to true";

impl UrlScope {
    /// Reads all entries.
    ///
    /// # Errors
    /// The first entry that cannot be used.
    pub fn new(allow: &[String], deny: &[String], options: Options) -> Result<Self, UrlScopeError> {
        let read = |key: &str, texts: &[String]| -> Result<Vec<Pattern>, UrlScopeError> {
            let read = |(index, text): (usize, &String)| {
                Pattern::parse(text).map_err(|reason| UrlScopeError::new(format!("{key}[{index}]"), text, reason))
            };
            texts.iter().enumerate().map(read).collect()
        };
        let (allow, deny) = (read(ALLOW, allow)?, read(DENY, deny)?);
        if let Some(index) = deny.iter().position(|entry| !entry.pins().is_empty()) {
            let reason = "addresses are pinned in url_scope.allow; to refuse one, write it as an entry of its own";
            return Err(UrlScopeError::new(
                format!("{DENY}[{index}]"),
                &deny[index].text,
                reason,
            ));
        }
        Ok(Self { allow, deny, options })
    }

    /// Whether nothing is admitted.
    pub fn is_empty(&self) -> bool {
        self.allow.is_empty()
    }

    /// What the operator should know about legal entries: their key, and the text.
    pub fn remarks(&self) -> Vec<(String, String)> {
        let remark = |(index, entry): (usize, &Pattern)| {
            let text = entry.remark().or_else(|| self.unreachable(entry))?;
            Some((format!("{ALLOW}[{index}]"), text))
        };
        self.allow.iter().enumerate().filter_map(remark).collect()
    }

    /// Why an exact entry admits nothing, if it does not.
    fn unreachable(&self, entry: &Pattern) -> Option<String> {
        let Hosts::One(host) = &entry.host else {
            return None;
        };
        let tier = match host {
            Host::Name(name) if is_metadata_name(name) => Tier::Metadata,
            Host::Name(_) => Tier::Public,
            _ => self.strictest(host.address().as_slice()),
        };
        match tier.max(self.strictest(entry.pins())) {
            Tier::Never => Some("it names an address that is never dialled, so it admits nothing".to_owned()),
            Tier::Metadata if !self.options.allow_metadata => Some(format!(
                "it names a metadata service, which stays refused; {OPEN_METADATA} if it is meant"
            )),
            _ => None,
        }
    }

    fn strictest(&self, addresses: &[IpAddr]) -> Tier {
        let tier = |address: &IpAddr| Class::of(*address, self.options.nat64.as_ref()).tier(false);
        addresses.iter().map(tier).max().unwrap_or(Tier::Public)
    }

    /// Whether the URL may be asked for: by deny entries, then by allow
    /// entries, then by what its host says of itself. The addresses that a
    /// name leads to are for [`Self::vet`].
    ///
    /// # Errors
    /// What refuses it.
    pub fn judge(&self, url: &WebUrl) -> Result<(), Refusal> {
        let literal = url.host().address();
        let denies = |entry: &Pattern| {
            entry.matches_deny(url) || literal.is_some_and(|address| entry.denies_address(url, address))
        };
        let mut denying = (0..self.deny.len()).filter(|index| denies(&self.deny[*index]));
        match denying.next() {
            Some(index) => {
                let alone = denying.next().is_none() && self.judge_past_deny(url).is_ok();
                Err(self.denied(index, format!("{} is denied", url.place()), alone))
            }
            None => self.judge_past_deny(url),
        }
    }

    fn judge_past_deny(&self, url: &WebUrl) -> Result<(), Refusal> {
        if !self.allow.iter().any(|entry| entry.matches_allow(url)) {
            return Err(self.not_allowed(url));
        }
        match url.host() {
            Host::Name(name) if is_metadata_name(name) && !self.options.allow_metadata => Err(Refusal {
                rule: METADATA.to_owned(),
                reason: format!("{name} is the name of a metadata service, which hands out credentials of the machine"),
                change: Some(OPEN_METADATA.to_owned()),
            }),
            Host::Name(_) => Ok(()),
            literal => self.vet_past_deny(url, literal.address().as_slice()),
        }
    }

    /// The refusal by a deny entry; `alone` where nothing else refuses.
    pub(super) fn denied(&self, index: usize, what: String, alone: bool) -> Refusal {
        let entry = &self.deny[index].text;
        Refusal {
            rule: format!("{DENY}[{index}]"),
            reason: format!("{what} by the entry {entry:?} of {DENY}"),
            change: alone.then(|| format!("remove {entry:?} from {DENY}")),
        }
    }

    /// The only addresses that the URL's host may have, where an exact entry
    /// for its host and port pins them; the first such entry decides.
    pub fn pins(&self, url: &WebUrl) -> Option<&[IpAddr]> {
        let pinned = |entry: &&Pattern| !entry.pins().is_empty() && entry.matches_exact_host_port(url);
        self.allow.iter().find(pinned).map(Pattern::pins)
    }

    /// Whether an entry with `http://` admits the URL's host and port, so
    /// that a redirect may lead to it from https.
    pub fn admits_plain_http(&self, url: &WebUrl) -> bool {
        let http = |entry: &Pattern| entry.scheme() == Some(Scheme::Http);
        self.allow.iter().any(|entry| http(entry) && entry.matches_allow(url))
    }
}
