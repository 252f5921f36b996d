//! An HTTP proxy (RFC 9110, section 9.3.6 for tunnels; RFC 9112, section 3.2.2 for the absolute form).

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::AsyncWriteExt;

use super::target::{Target, Targets, Upstream, relay};
use crate::net::peer::Peer;
use crate::net::recorder::Recorder;
use crate::net::request::Request;
use crate::net::service::{LOOPBACK, Service};
use crate::net::tls::{Identity, accept};
use crate::net::wire::Tap;

/// An HTTP proxy on a free port of 127.0.0.1. Its record has the requests as
/// they were made to it, with `Proxy-Authorization` if there was one, and in
/// `received` what went through its tunnels.
pub struct HttpProxy {
    service: Service,
    targets: Targets,
    scheme: &'static str,
}

impl HttpProxy {
    /// A proxy that clients speak to in the clear.
    pub fn start(upstream: Upstream) -> Self {
        let targets = Targets::default();
        let service = {
            let targets = targets.clone();
            Service::start("http-proxy", LOOPBACK, move |stream, log| {
                converse(Tap::new(stream, log), upstream, targets.clone())
            })
        };
        Self {
            service,
            targets,
            scheme: "http",
        }
    }

    /// A proxy that clients speak to over TLS.
    pub fn tls(identity: &Identity, upstream: Upstream) -> Self {
        let targets = Targets::default();
        let config = identity.server_config(&["http/1.1"]);
        let service = {
            let targets = targets.clone();
            Service::start("https-proxy", LOOPBACK, move |stream, log| {
                let (config, targets) = (Arc::clone(&config), targets.clone());
                async move {
                    if let Some(tap) = accept(stream, config, log).await {
                        converse(tap, upstream, targets).await;
                    }
                }
            })
        };
        Self {
            service,
            targets,
            scheme: "https",
        }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.service.address()
    }

    /// Its URL for a client's configuration.
    pub fn url(&self) -> String {
        format!("{}://{}", self.scheme, self.address())
    }

    /// The targets asked for, in order.
    pub fn targets(&self) -> Vec<Target> {
        self.targets.all()
    }

    /// What it saw.
    pub fn recorder(&self) -> &Recorder {
        self.service.recorder()
    }
}

async fn converse(tap: Tap, upstream: Upstream, targets: Targets) {
    let mut peer = Peer::new(tap);
    let Ok(request) = peer.request().await else { return };
    let (mut client, early) = peer.into_parts();
    let tunnel = request.method == "CONNECT";
    let Some((target, origin)) = route(&request, tunnel) else {
        let _ = refuse(&mut client, 400).await;
        return;
    };
    targets.push(target.clone());
    let Ok(server) = upstream.connect(&target).await else {
        let _ = refuse(&mut client, upstream.refusal()).await;
        return;
    };
    if !tunnel {
        relay(client, server, &[forwarded(&request, &origin), early].concat()).await;
    } else if client
        .write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")
        .await
        .is_ok()
    {
        // A TLS client connection holds bytes back until it is flushed.
        let _ = client.flush().await;
        relay(client, server, &early).await;
    }
}

/// The target, and the form in which the origin server is asked.
fn route(request: &Request, tunnel: bool) -> Option<(Target, String)> {
    if tunnel {
        return Some((Target::parse(&request.target, None)?, String::new()));
    }
    let rest = request.target.strip_prefix("http://")?;
    let (authority, path) = match rest.find(['/', '?']) {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let path = if path.starts_with('/') {
        path.to_owned()
    } else {
        format!("/{path}")
    };
    Some((Target::parse(authority, Some(80))?, path))
}

/// The request for the origin server, without what was meant for the proxy. The
/// connection serves one request, because the next may have another target.
fn forwarded(request: &Request, origin: &str) -> Vec<u8> {
    let mut head = format!(
        "{} {origin} {}\r\nConnection: close\r\n",
        request.method, request.version
    );
    for (name, value) in &request.headers {
        if !matches!(
            name.as_str(),
            "connection" | "proxy-connection" | "proxy-authorization" | "transfer-encoding" | "content-length"
        ) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
    }
    if !request.body.is_empty() {
        head.push_str(&format!("content-length: {}\r\n", request.body.len()));
    }
    head.push_str("\r\n");
    [head.as_bytes(), &request.body].concat()
}

async fn refuse(client: &mut Tap, status: u16) -> std::io::Result<()> {
    let challenge = if status == 407 {
        "Proxy-Authenticate: Basic realm=\"test\"\r\n"
    } else {
        ""
    };
    let answer = format!("HTTP/1.1 {status} Refused\r\n{challenge}Content-Length: 0\r\nConnection: close\r\n\r\n");
    client.write_all(answer.as_bytes()).await?;
    client.shutdown().await
}
