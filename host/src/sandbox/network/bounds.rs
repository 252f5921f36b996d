//! What the requests of a host may reach and use at most.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderName, HeaderValue};

use super::failure::{Class, Failure};
use super::proxy::Proxy;
use super::resolve::{DnsResolver, Resolve};
use super::tls::Tls;
use crate::config::Config;
use crate::scope::web::{Bundles, Nat64Prefix, Pattern, UrlScope, WebUrl};

/// Bytes of a body that are read where the operator's limit is below: pages shrink when they are
/// made into text.
const READ: u64 = 5 << 20;

/// Looks up a variable of the environment by name.
pub type Variables = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// The network part of the configuration, ready for use. It comes with each call, so that a call
/// keeps what it began with when the configuration changes.
pub(crate) struct NetworkBounds {
    pub(crate) scope: Arc<UrlScope>,
    pub(super) bundles: Bundles,
    pub(super) timeout: Duration,
    pub(super) body: u64,
    pub(super) proxy: Proxy,
    pub(super) tls: Tls,
    pub(super) resolver: Arc<dyn Resolve>,
    /// Where secrets are looked up by name.
    pub(super) variables: Variables,
    /// `tools.network`: where tools may send requests of their own, by tool.
    pub(super) plugins: BTreeMap<String, Arc<[Pattern]>>,
    nat64: Option<Nat64Prefix>,
}

impl NetworkBounds {
    /// Of a configuration, with a resolver instead of the one that it asks for, if any.
    ///
    /// # Errors
    /// Names the key and what is wrong with its value.
    pub(crate) fn new(
        config: &Config,
        resolver: Option<Arc<dyn Resolve>>,
        variables: Variables,
    ) -> Result<Self, String> {
        let urls = &config.url_scope;
        let resolver = match resolver {
            Some(resolver) => resolver,
            None => {
                let servers = urls.servers();
                let servers = servers.map_err(|(index, reason)| format!("url_scope.nameservers[{index}]: {reason}"))?;
                Arc::new(DnsResolver::with_servers(servers))
            }
        };
        let mut plugins = BTreeMap::new();
        for (tool, patterns) in &config.tools.network {
            let parse = |(index, text): (usize, &String)| {
                Pattern::parse(text).map_err(|error| format!("tools.network.{tool}[{index}]: {text:?}: {error}"))
            };
            let patterns = patterns.iter().enumerate().map(parse).collect::<Result<Vec<_>, _>>()?;
            plugins.insert(tool.clone(), patterns.into());
        }
        Ok(Self {
            scope: Arc::new(urls.scope().map_err(|error| error.to_string())?),
            bundles: urls.bundles().map_err(|error| error.to_string())?,
            timeout: urls.timeout(),
            body: urls.body_limit(),
            proxy: Proxy::new(&urls.proxy),
            tls: Tls::new(urls.ca_file.clone()),
            resolver,
            variables,
            plugins,
            nat64: urls.nat64().map_err(|error| error.to_string())?,
        })
    }

    pub(super) fn nat64(&self) -> Option<&Nat64Prefix> {
        self.nat64.as_ref()
    }

    /// The operator's headers for a URL.
    ///
    /// # Errors
    /// A variable is not set, or the headers may not go over plain http; nothing is sent then.
    pub(super) fn headers_for(&self, url: &WebUrl) -> Result<Vec<(HeaderName, HeaderValue)>, Failure> {
        let Some(bundle) = self.bundles.choose(url) else {
            return Ok(Vec::new());
        };
        let fail = |reason: String| Failure::new(Class::Invalid, reason);
        let headers = bundle.expand(url, &|name| (self.variables)(name)).map_err(fail)?;
        headers
            .into_iter()
            .map(|(name, value)| {
                let mut value = HeaderValue::from_str(&value).map_err(|_| {
                    fail(format!(
                        "the header {name:?} of url_scope.headers has a value that cannot be sent"
                    ))
                })?;
                value.set_sensitive(true);
                let header = HeaderName::from_bytes(name.as_bytes());
                let header =
                    header.map_err(|_| fail(format!("{name:?} in url_scope.headers is no name of a header")))?;
                Ok((header, value))
            })
            .collect()
    }

    /// Bytes that are read of one body.
    pub(super) fn read(&self) -> u64 {
        self.body.saturating_add(1).max(READ)
    }

    /// The tools that may send requests of their own.
    pub(crate) fn plugins(&self) -> impl Iterator<Item = &str> {
        self.plugins.keys().map(String::as_str)
    }

    /// Whether a tool may send requests of its own.
    pub(in crate::sandbox) fn is_plugin(&self, tool: &str) -> bool {
        self.plugins.contains_key(tool)
    }

    /// Where a tool may send requests of its own.
    pub(super) fn of_plugin(&self, tool: &str) -> Arc<[Pattern]> {
        self.plugins.get(tool).cloned().unwrap_or_default()
    }
}
