//! `url_scope`.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scope::web::{BundleError, Bundles, Nat64Error, Nat64Prefix, Options, UrlScope, UrlScopeError};

/// Bytes of a body unless the operator says otherwise.
const BODY_BYTES: u64 = 65_536;
/// Seconds of a request unless the operator says otherwise.
const TIMEOUT_SECONDS: u32 = 30;
/// Headers that concern one connection, and end at the next hop (RFC 9110, section 7.6.1).
pub(crate) const OF_CONNECTION: [&str; 10] = [
    "connection",
    "http2-settings",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];
/// Headers that the client sets by itself.
const OF_CLIENT: [&str; 3] = ["accept-encoding", "content-length", "host"];
/// Where name servers listen.
const DNS_PORT: u16 = 53;

/// `url_scope`: which hosts the tools may reach. Nothing is reachable without an entry in `allow`.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct UrlScopeConfig {
    /// Hosts to admit: `[scheme://]host[:port]`, host exact, `*.domain` or `*`. An exact host may
    /// name its addresses: `internal.example=10.0.0.5`.
    pub allow: Vec<String>,
    /// Hosts to refuse, on every scheme; they win over `allow`.
    pub deny: Vec<String>,
    /// Bytes of a response body, 65536 unless set; 0 means the same.
    pub max_body_bytes: u64,
    /// Seconds for one request with its redirects, 30 unless set; 0 means the same.
    #[schemars(range(max = 86_400))]
    pub timeout_seconds: u32,
    /// Request headers by host pattern and name. A value names environment
    /// variables as `$NAME` or `${NAME}`; it should hold no secret itself.
    pub headers: BTreeMap<String, BTreeMap<String, String>>,
    /// Host patterns of `headers` whose headers may go over plain http too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub headers_over_http: Vec<String>,
    /// Lets requests reach the metadata services of cloud machines.
    pub allow_metadata_endpoints: bool,
    /// The proxy: empty for none, `env` for what the environment says, or an
    /// absolute URL with http, https or socks5.
    pub proxy: String,
    /// A PEM file of authorities to believe besides those of the system. In a file, a relative one
    /// lies beside the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub ca_file: Option<PathBuf>,
    /// Name servers to ask instead of those of the system: `address` or `address:port`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nameservers: Vec<String>,
    /// The prefix of the network's own NAT64, such as `2001:db8:64::/96`: what is embedded in an
    /// address below it is vetted as well.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub nat64_prefix: String,
}

impl UrlScopeConfig {
    /// How long one request with its redirects may take.
    pub fn timeout(&self) -> Duration {
        Duration::from_secs(u64::from(match self.timeout_seconds {
            0 => TIMEOUT_SECONDS,
            seconds => seconds,
        }))
    }

    /// Bytes of a body that one result holds.
    pub fn body_limit(&self) -> u64 {
        match self.max_body_bytes {
            0 => BODY_BYTES,
            bytes => bytes,
        }
    }

    /// The scope.
    ///
    /// # Errors
    /// The first entry that cannot be used. A `nat64_prefix` that is none counts as not given here.
    pub fn scope(&self) -> Result<UrlScope, UrlScopeError> {
        let options = Options {
            allow_metadata: self.allow_metadata_endpoints,
            nat64: self.nat64().ok().flatten(),
        };
        UrlScope::new(&self.allow, &self.deny, options)
    }

    /// The bundles of `headers`.
    ///
    /// # Errors
    /// The first part that cannot be used.
    pub fn bundles(&self) -> Result<Bundles, BundleError> {
        let known = self.headers_over_http.iter();
        let known: Vec<String> = known
            .filter(|entry| self.headers.contains_key(*entry))
            .cloned()
            .collect();
        Bundles::new(&self.headers, &known, &|name| {
            let mut reserved = OF_CONNECTION.iter().chain(&OF_CLIENT);
            reserved.any(|reserved| name.eq_ignore_ascii_case(reserved))
        })
    }

    /// The name servers of `nameservers`.
    ///
    /// # Errors
    /// The first entry that is no address, with its place.
    pub fn servers(&self) -> Result<Vec<SocketAddr>, (usize, String)> {
        let parse = |(index, text): (usize, &String)| {
            let plain = text.trim_matches(['[', ']']).parse::<IpAddr>();
            let address = plain.map(|address| SocketAddr::new(address, DNS_PORT));
            address.or_else(|_| text.parse()).map_err(|_| {
                let reason =
                    format!("{text:?} is no address; write it like 10.0.0.53, 10.0.0.53:5353 or [fd00::53]:53");
                (index, reason)
            })
        };
        self.nameservers.iter().enumerate().map(parse).collect()
    }

    /// The prefix of `nat64_prefix`, if one is given.
    ///
    /// # Errors
    /// It is no such prefix.
    pub fn nat64(&self) -> Result<Option<Nat64Prefix>, Nat64Error> {
        let text = self.nat64_prefix.trim();
        (!text.is_empty()).then(|| text.parse()).transpose()
    }
}

impl Default for UrlScopeConfig {
    fn default() -> Self {
        Self {
            allow: Vec::new(),
            deny: Vec::new(),
            max_body_bytes: BODY_BYTES,
            timeout_seconds: TIMEOUT_SECONDS,
            headers: BTreeMap::new(),
            allow_metadata_endpoints: false,
            proxy: String::new(),
            headers_over_http: Vec::new(),
            ca_file: None,
            nameservers: Vec::new(),
            nat64_prefix: String::new(),
        }
    }
}
