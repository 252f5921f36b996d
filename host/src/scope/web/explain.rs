//! Which entry comes nearest to a URL that none admits, and which entry would admit it.

use std::cmp::Reverse;

use super::address::{Class, Tier};
use super::host::Host;
use super::names::is_metadata_name;
use super::pattern::{Hosts, Pattern, Ports};
use super::refusal::Refusal;
use super::url_scope::{ALLOW, UrlScope};
use super::web_url::{Scheme, WebUrl};
use crate::suggest;

impl UrlScope {
    /// The refusal of a URL that no allow entry admits.
    pub(super) fn not_allowed(&self, url: &WebUrl) -> Refusal {
        let place = url.place();
        let reason = match self.allow.len() {
            0 => format!("{place} is not admitted: {ALLOW} is empty, so no host can be reached"),
            1 => format!(
                "{place} is not admitted by the only entry of {ALLOW}: {}",
                self.near(url)
            ),
            entries => format!(
                "{place} matches none of the {entries} entries of {ALLOW}: {}",
                self.near(url)
            ),
        };
        Refusal {
            rule: ALLOW.to_owned(),
            reason,
            change: self.may_be_admitted(url).then(|| add(url)),
        }
    }

    /// Whether an exact entry is all that is missing.
    fn may_be_admitted(&self, url: &WebUrl) -> bool {
        let metadata = self.options.allow_metadata;
        match url.host() {
            Host::Name(name) => metadata || !is_metadata_name(name),
            host => host
                .address()
                .is_some_and(|address| Class::of(address, self.options.nat64.as_ref()).tier(metadata) <= Tier::Private),
        }
    }

    /// The entry that comes nearest, and what keeps it from admitting the URL.
    fn near(&self, url: &WebUrl) -> String {
        let of_host = self.allow.iter().filter(|entry| entry.matches_host(url));
        let nearest = of_host.max_by_key(|entry| {
            let one_step = entry.matches_port(url) || entry.allows_scheme(url.scheme());
            (one_step, entry.specificity())
        });
        let Some(entry) = nearest else {
            let nearest = self.nearest(url.host_text());
            return nearest.map_or_else(String::new, |entry| format!("the nearest is {:?}", entry.text));
        };
        let over = if entry.allows_scheme(url.scheme()) {
            ""
        } else {
            " over https"
        };
        let on = match entry.port {
            _ if entry.matches_port(url) => String::new(),
            Ports::One(port) => format!(" on port {port}"),
            Ports::Unwritten if over.is_empty() => format!(" on port {}", url.scheme().default_port()),
            _ => format!(" on port {}", Scheme::Https.default_port()),
        };
        format!("{:?} admits this host{over}{on} only", entry.text)
    }

    /// The entry whose host looks most like this one.
    fn nearest(&self, host: &str) -> Option<&Pattern> {
        let hosts: Vec<String> = self.allow.iter().map(hosts).collect();
        let meant = suggest::nearest(host, hosts.iter().map(String::as_str));
        let index = match meant {
            Some(meant) => hosts.iter().position(|host| host == meant),
            None => (0..hosts.len()).min_by_key(|index| Reverse(common_labels(host, &hosts[*index]))),
        };
        self.allow.get(index?)
    }
}

/// The change that adds an exact entry for the URL.
pub(super) fn add(url: &WebUrl) -> String {
    format!("add {:?} to {ALLOW}", entry(url))
}

/// The narrowest entry that admits the URL.
pub(super) fn entry(url: &WebUrl) -> String {
    let scheme = match url.scheme() {
        Scheme::Http => "http://",
        Scheme::Https => "",
    };
    match url.is_default_port() {
        true => format!("{scheme}{}", url.host_text()),
        false => format!("{scheme}{}:{}", url.host_text(), url.port()),
    }
}

fn hosts(entry: &Pattern) -> String {
    match &entry.host {
        Hosts::Any => "*".to_owned(),
        Hosts::Below(name) => format!("*.{name}"),
        Hosts::One(Host::Name(name)) => name.clone(),
        Hosts::One(Host::V4(address)) => address.to_string(),
        Hosts::One(Host::V6(address)) => format!("[{address}]"),
    }
}

/// How many labels at the end two names share.
fn common_labels(a: &str, b: &str) -> usize {
    a.rsplit('.').zip(b.rsplit('.')).take_while(|(a, b)| a == b).count()
}
