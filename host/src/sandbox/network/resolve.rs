//! From a name to addresses.

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{LookupIpStrategy, NameServerConfig, ResolveHosts, ResolverConfig};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use tokio::sync::OnceCell;

/// A name without addresses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// There is no such name, or it has no address.
    #[error("the name has no address")]
    NotFound,
    /// Nobody could be asked.
    #[error("{0}")]
    Failed(String),
}

/// What a lookup leads to.
pub type Resolved<'a> = Pin<Box<dyn Future<Output = Result<Vec<IpAddr>, ResolveError>> + Send + 'a>>;

/// Looks up names. A request asks at most once for each connection that it needs, and dials only
/// addresses of that answer.
pub trait Resolve: Send + Sync {
    /// All addresses of a name, in the order in which they shall be tried. The name is in ASCII,
    /// lower case, without a final dot, and meant as it stands: no search list applies. Dropping the
    /// future ends the lookup.
    fn resolve<'a>(&'a self, name: &'a str) -> Resolved<'a>;
}

/// Asks name servers. Files with host names, search lists and multicast are not consulted, so that
/// what a name means does not depend on who may write those.
pub struct DnsResolver {
    servers: Vec<SocketAddr>,
    resolver: OnceCell<Result<TokioResolver, String>>,
}

impl DnsResolver {
    /// Asks the name servers of `/etc/resolv.conf`, which is read at the first question.
    pub fn system() -> Self {
        Self::with_servers(Vec::new())
    }

    /// Asks these servers; none means those of the system.
    pub fn with_servers(servers: Vec<SocketAddr>) -> Self {
        Self {
            servers,
            resolver: OnceCell::new(),
        }
    }

    fn build(&self) -> Result<TokioResolver, String> {
        let provider = TokioRuntimeProvider::default();
        let mut builder = if self.servers.is_empty() {
            TokioResolver::builder(provider).map_err(|error| format!("/etc/resolv.conf cannot be used: {error}"))?
        } else {
            let servers = self.servers.iter().map(|server| {
                let mut config = NameServerConfig::udp_and_tcp(server.ip());
                for connection in &mut config.connections {
                    connection.port = server.port();
                }
                config
            });
            let config = ResolverConfig::from_parts(None, Vec::new(), servers.collect());
            TokioResolver::builder_with_config(config, provider)
        };
        let options = builder.options_mut();
        options.use_hosts_file = ResolveHosts::Never;
        // Every connection asks anew: what was vetted once says nothing about later answers.
        options.cache_size = 0;
        options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
        builder.build().map_err(|error| error.to_string())
    }
}

impl Resolve for DnsResolver {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolved<'a> {
        Box::pin(async move {
            // Names for this machine itself are nobody else's to answer (RFC 6761, 6.3).
            if name == "localhost" || name.ends_with(".localhost") {
                return Ok(vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]);
            }
            let resolver = self.resolver.get_or_init(|| async { self.build() }).await;
            let resolver = resolver
                .as_ref()
                .map_err(|reason| ResolveError::Failed(reason.clone()))?;
            // The final dot makes it the whole name.
            match resolver.lookup_ip(format!("{name}.")).await {
                Ok(found) => Ok(found.iter().collect()),
                Err(error) if error.is_no_records_found() => Err(ResolveError::NotFound),
                Err(error) => Err(ResolveError::Failed(error.to_string())),
            }
        })
    }
}
