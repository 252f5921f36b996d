//! An HTTP/1 server, plain or TLS, that answers each request by a script.

use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;

use super::peer::Peer;
use super::recorder::Recorder;
use super::request::Request;
use super::script::{Script, play};
use super::scripts;
use super::service::{LOOPBACK, Service};
use super::tls::{Identity, accept};
use super::wire::Tap;

/// An HTTP/1 server.
pub struct ScriptServer {
    service: Service,
    scheme: &'static str,
}

impl ScriptServer {
    /// A plain server on a free port of 127.0.0.1. `respond` runs on the
    /// server's thread and must not block.
    pub fn start(respond: impl Fn(&Request) -> Script + Send + Sync + 'static) -> Self {
        Self::start_at(LOOPBACK, respond)
    }

    /// The same at an address such as `[::1]:0`.
    ///
    /// # Panics
    /// When the address is not on loopback or cannot be had.
    pub fn start_at(address: impl ToSocketAddrs, respond: impl Fn(&Request) -> Script + Send + Sync + 'static) -> Self {
        let respond = Arc::new(respond);
        let service = Service::start("script-server", address, move |stream, log| {
            converse(Tap::new(stream, log), Arc::clone(&respond))
        });
        Self {
            service,
            scheme: "http",
        }
    }

    /// A plain server that answers by path; other paths are not found.
    pub fn routes<const N: usize>(routes: [(&str, Script); N]) -> Self {
        Self::start(by_path(routes))
    }

    /// A TLS server on a free port of 127.0.0.1; it speaks only HTTP/1.1.
    pub fn tls(identity: &Identity, respond: impl Fn(&Request) -> Script + Send + Sync + 'static) -> Self {
        Self::tls_at(LOOPBACK, identity, respond)
    }

    /// The same at an address such as `[::1]:0`.
    ///
    /// # Panics
    /// When the address is not on loopback or cannot be had.
    pub fn tls_at(
        address: impl ToSocketAddrs,
        identity: &Identity,
        respond: impl Fn(&Request) -> Script + Send + Sync + 'static,
    ) -> Self {
        let respond = Arc::new(respond);
        let config = identity.server_config(&["http/1.1"]);
        let service = Service::start("tls-script-server", address, move |stream, log| {
            let (config, respond) = (Arc::clone(&config), Arc::clone(&respond));
            async move {
                if let Some(tap) = accept(stream, config, log).await {
                    converse(tap, respond).await;
                }
            }
        });
        Self {
            service,
            scheme: "https",
        }
    }

    /// A TLS server that answers by path; other paths are not found.
    pub fn tls_routes<const N: usize>(identity: &Identity, routes: [(&str, Script); N]) -> Self {
        Self::tls(identity, by_path(routes))
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.service.address()
    }

    /// A URL with its literal address.
    pub fn url(&self, path: &str) -> String {
        format!("{}://{}{path}", self.scheme, self.address())
    }

    /// A URL with a name and its port.
    pub fn url_for(&self, host: &str, path: &str) -> String {
        format!("{}://{host}:{}{path}", self.scheme, self.address().port())
    }

    /// What it saw.
    pub fn recorder(&self) -> &Recorder {
        self.service.recorder()
    }
}

async fn converse(tap: Tap, respond: Arc<impl Fn(&Request) -> Script + Send + Sync>) {
    let mut peer = Peer::new(tap);
    while let Ok(request) = peer.request().await {
        if play(respond(&request), &mut peer).await.is_err() {
            return;
        }
    }
}

fn by_path<const N: usize>(routes: [(&str, Script); N]) -> impl Fn(&Request) -> Script + Send + Sync + 'static {
    let routes = routes.map(|(path, script)| (path.to_owned(), script));
    move |request| {
        let route = routes.iter().find(|(path, _)| path == request.path());
        route.map_or_else(|| scripts::status(404, "not found\n"), |(_, script)| script.clone())
    }
}
