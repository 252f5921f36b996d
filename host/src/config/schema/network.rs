//! `url_scope`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `url_scope`: which hosts the tools may reach. Nothing is reachable without an entry in `allow`.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct UrlScopeConfig {
    /// Hosts to admit: `[scheme://]host[:port]`, host exact, `*.domain` or `*`.
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
    /// Lets requests reach the metadata services of cloud machines.
    pub allow_metadata_endpoints: bool,
    /// The proxy: empty for none, `env` for what the environment says, or an
    /// absolute URL with http, https or socks5.
    pub proxy: String,
}

impl Default for UrlScopeConfig {
    fn default() -> Self {
        Self {
            allow: Vec::new(),
            deny: Vec::new(),
            max_body_bytes: 65_536,
            timeout_seconds: 30,
            headers: BTreeMap::new(),
            allow_metadata_endpoints: false,
            proxy: String::new(),
        }
    }
}
