//! The server.

use std::convert::Infallible;
use std::net::{SocketAddr, ToSocketAddrs};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpStream;
use tokio::sync::Notify;

use super::answers::answer;
use crate::net::recorder::{ConnectionLog, Recorder};
use crate::net::request::Request;
use crate::net::service::{LOOPBACK, Service};
use crate::net::tls::{Identity, accept};
use crate::net::wire::Tap;

/// How long a connection goes on after a `GOAWAY` in the middle of a body.
const AFTER_GOAWAY: Duration = Duration::from_millis(100);

/// An HTTP/2 server over TLS. Paths:
///
/// - `/echo`: the request as JSON (`method`, `target`, `version`, `headers` as pairs, `body`);
/// - `/large/BYTES`: a body of that size without a declared length;
/// - `/slow/MILLISECONDS`: one byte after each pause, without end;
/// - `/stall`: a head, then nothing;
/// - `/headers/COUNT`: that many header fields of 1 KiB each;
/// - `/reset`: 1 KiB, then a reset of the stream;
/// - `/goaway`: 1 KiB, then `GOAWAY` and the end of the connection;
/// - `/redirect?LOCATION`: 302 to that location.
pub struct Http2Server {
    service: Service,
}

impl Http2Server {
    /// A server on a free port of 127.0.0.1 that offers `h2` and then
    /// `http/1.1`; the record's `alpn` says which one the client got.
    pub fn start(identity: &Identity) -> Self {
        Self::start_at(LOOPBACK, identity, &["h2", "http/1.1"])
    }

    /// A server that offers only `h2`, and speaks it even to a client that did not ask for it.
    pub fn only_h2(identity: &Identity) -> Self {
        Self::start_at(LOOPBACK, identity, &["h2"])
    }

    /// The same at an address such as `[::1]:0`, with these protocols.
    ///
    /// # Panics
    /// When the address is not on loopback or cannot be had.
    pub fn start_at(address: impl ToSocketAddrs, identity: &Identity, alpn: &[&str]) -> Self {
        let config = identity.server_config(alpn);
        let http1_too = alpn.contains(&"http/1.1");
        let service = Service::start("http2-server", address, move |stream: TcpStream, log: ConnectionLog| {
            let config = Arc::clone(&config);
            async move {
                if let Some((tap, h2)) = greet(stream, config, log, http1_too).await {
                    converse(tap, h2).await;
                }
            }
        });
        Self { service }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.service.address()
    }

    /// A URL with its literal address.
    pub fn url(&self, path: &str) -> String {
        format!("https://{}{path}", self.address())
    }

    /// A URL with a name and its port.
    pub fn url_for(&self, host: &str, path: &str) -> String {
        format!("https://{host}:{}{path}", self.address().port())
    }

    /// What it saw.
    pub fn recorder(&self) -> &Recorder {
        self.service.recorder()
    }
}

/// Shakes hands; the connection, and whether it speaks HTTP/2.
async fn greet(
    stream: TcpStream,
    config: Arc<rustls::ServerConfig>,
    log: ConnectionLog,
    http1_too: bool,
) -> Option<(Tap, bool)> {
    let tap = accept(stream, config, log).await?;
    let mut agreed = None;
    tap.log().edit(|connection| agreed.clone_from(&connection.alpn));
    let h2 = agreed.map_or(!http1_too, |name| name == "h2");
    Some((tap, h2))
}

async fn converse(tap: Tap, h2: bool) {
    let goaway = Arc::new(Notify::new());
    let pen = (**tap.log()).clone();
    let service = service_fn(|request| {
        let (pen, goaway) = (pen.clone(), Arc::clone(&goaway));
        async move {
            let request = recorded(request, pen.index()).await;
            let response = answer(&request, &goaway);
            pen.request(request);
            Ok::<_, Infallible>(response)
        }
    });
    let io = TokioIo::new(tap);
    // How a connection ends is the client's matter; the record has it.
    if h2 {
        let mut connection = pin!(http2::Builder::new(TokioExecutor::new()).serve_connection(io, service));
        tokio::select! {
            _ = connection.as_mut() => {}
            () = goaway.notified() => {
                connection.as_mut().graceful_shutdown();
                let _ = tokio::time::timeout(AFTER_GOAWAY, connection).await;
            }
        }
    } else {
        let _ = http1::Builder::new().serve_connection(io, service).await;
    }
}

async fn recorded(request: hyper::Request<Incoming>, connection: usize) -> Request {
    let (head, body) = request.into_parts();
    let pseudo = [
        (":scheme", head.uri.scheme_str()),
        (":authority", head.uri.authority().map(|authority| authority.as_str())),
    ];
    let pseudo = pseudo
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())));
    let fields = head.headers.iter().map(|(name, value)| {
        let value = value.as_bytes().iter().copied().map(char::from).collect();
        (name.as_str().to_owned(), value)
    });
    let headers = pseudo.chain(fields).collect();
    let target = head.uri.path_and_query().map_or("/", |target| target.as_str());
    Request {
        connection,
        at: Instant::now(),
        raw: Vec::new(),
        method: head.method.to_string(),
        target: target.to_owned(),
        version: format!("{:?}", head.version),
        headers,
        // A client may break its body off; the record then shows none.
        body: body
            .collect()
            .await
            .map(|body| body.to_bytes().to_vec())
            .unwrap_or_default(),
    }
}
