//! Binding and running the HTTP server.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::super::handler::{Departure, Shared};
use super::super::{MAX_MESSAGE_BYTES, ServeError};
use super::connection::{Connection, Connections};
use super::endpoint::{self, Endpoint};
use crate::Host;
use crate::prompters::Media;

/// How long open connections may go on after `shutdown`.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);

/// Names of this machine that only this machine can use.
const LOOPBACK_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// How to serve over HTTP.
#[derive(Clone, Default)]
pub struct HttpOptions {
    /// Accept addresses that other machines can reach. There is no
    /// authentication: whoever reaches the port may call the tools.
    pub allow_remote: bool,
    /// Further `Host` header values to accept, `name` or `name:port`, besides
    /// the loopback names and the bound address.
    pub allowed_hosts: Vec<String>,
    /// Who is asked when a call needs an approval, beside its client.
    pub media: Media,
    /// Cancelling it ends the server.
    pub shutdown: CancellationToken,
}

/// A server that is bound and not yet serving.
pub struct HttpServer {
    listener: TcpListener,
    address: SocketAddr,
    endpoint: Endpoint,
    departure: Departure,
    shutdown: CancellationToken,
}

/// Binds the endpoint `/mcp` at `address`; port 0 takes a free port. Clients
/// are served once [`HttpServer::run`] is awaited.
///
/// Requests must carry a `Host` header that names this server and no `Origin`
/// header, so that no web page can reach it, not even by DNS rebinding (row M07).
///
/// # Errors
/// When the address is not loopback and remote clients are not allowed, or
/// cannot be listened on.
pub async fn serve_http(host: Host, address: SocketAddr, options: HttpOptions) -> Result<HttpServer, ServeError> {
    if !options.allow_remote && !address.ip().is_loopback() {
        return Err(ServeError::NotLoopback { address });
    }
    let bind = |reason| ServeError::Bind { address, reason };
    let listener = TcpListener::bind(address).await.map_err(bind)?;
    let address = listener.local_addr().map_err(bind)?;

    let shutdown = options.shutdown.clone();
    let (shared, departure) = Shared::new(host, options.media, None);
    let sessions = Arc::new(endpoint::sessions());
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(allowed_hosts(address, options.allowed_hosts))
        .enforce_origin_validation()
        .with_max_request_body_bytes(MAX_MESSAGE_BYTES)
        .with_sse_retry(None)
        .with_json_response(true)
        .with_cancellation_token(shutdown.clone());
    let gone = shutdown.clone();
    let service = StreamableHttpService::new(move || Ok(shared.handler(gone.clone())), sessions.clone(), config);
    Ok(HttpServer {
        listener,
        address,
        endpoint: Endpoint::new(service, sessions),
        departure,
        shutdown,
    })
}

impl HttpServer {
    /// The bound address, with the real port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to give to a client on this machine.
    pub fn url(&self) -> String {
        let mut address = self.address;
        match address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(IpAddr::from([127, 0, 0, 1])),
            IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1])),
            _ => {}
        }
        format!("http://{address}{}", endpoint::PATH)
    }

    /// Serves until the options' `shutdown` is cancelled; open calls are
    /// cancelled with it.
    ///
    /// # Errors
    /// When listening fails.
    pub async fn run(self) -> Result<(), ServeError> {
        let app = self
            .endpoint
            .routes()
            .into_make_service_with_connect_info::<Connection>();
        let shutdown = self.shutdown.clone();
        let serving = axum::serve(Connections::new(self.listener), app)
            .with_graceful_shutdown(shutdown.clone().cancelled_owned());
        let overdue = async {
            shutdown.cancelled().await;
            tokio::time::sleep(SHUTDOWN_GRACE).await;
        };
        let ended = tokio::select! {
            ended = serving => ended.map_err(|error| ServeError::Stopped(error.to_string())),
            () = overdue => Ok(()),
        };
        self.departure.wait().await;
        ended
    }
}

/// A web page can make a browser send any name it owns, but never a loopback
/// name or the literal address.
fn allowed_hosts(address: SocketAddr, further: Vec<String>) -> Vec<String> {
    let mut hosts: Vec<String> = LOOPBACK_NAMES.map(str::to_owned).into();
    hosts.push(address.to_string());
    hosts.extend(further);
    hosts
}
