//! One request to one URL: resolve once, vet every address, dial what was vetted, send, hear the answer.

use std::net::IpAddr;
use std::sync::Arc;

use http::response::Parts;
use hyper::body::Incoming;
use tokio::runtime::Handle;

use super::body::Lease;
use super::bounds::NetworkBounds;
use super::connection::{Sender, Stream};
use super::deadline::Deadline;
use super::failure::{Class, Failure};
use super::hops::{Hops, Place};
use super::meter::{Meter, Metered};
use super::pool::{Connections, Key, Open};
use super::proxy::{Kind, Via};
use super::request::{Outgoing, shape};
use super::unanswered::{ambiguous, is_ambiguous, is_closed, refused};
use crate::audit::Hop;
use crate::scope::web::{Host, Refusal, WebUrl};

/// Which addresses a request may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Admission {
    /// Those that the URL scope admits.
    Scope,
    /// Those of a host that the operator wrote down: private ones too.
    Chosen,
}

/// Everything about a request but itself.
#[derive(Clone)]
pub(super) struct Route {
    pub(super) bounds: Arc<NetworkBounds>,
    pub(super) connections: Arc<Connections>,
    /// The tool that calls.
    pub(super) owner: Arc<str>,
    pub(super) hops: Arc<Hops>,
    pub(super) deadline: Deadline,
    pub(super) admission: Admission,
}

/// An answer whose body is still to be read.
pub(super) struct Exchanged {
    pub(super) head: Parts,
    pub(super) incoming: Incoming,
    pub(super) lease: Lease,
}

impl Route {
    /// Sends a request to a URL that may be requested. Runs on the runtime of the network.
    pub(super) async fn exchange(&self, url: &WebUrl, outgoing: Outgoing) -> Result<Exchanged, Failure> {
        let place = self.hops.begin(Hop {
            method: outgoing.method.to_string(),
            url: match self.admission {
                Admission::Scope => recorded(url),
                // The path of the operator's own target is often its secret.
                Admission::Chosen => url.origin(),
            },
            address: None,
            status: None,
            failure: None,
            content_type: None,
        });
        let done = self.attempt(url, outgoing, place).await;
        self.hops.update(place, |hop| match &done {
            Ok(exchanged) => {
                hop.status = Some(exchanged.head.status.as_u16());
                let content_type = exchanged.head.headers.get(http::header::CONTENT_TYPE);
                hop.content_type = content_type.map(|value| {
                    let text = String::from_utf8_lossy(value.as_bytes());
                    text.chars().take(128).collect()
                });
            }
            Err(failure) => hop.failure = Some(failure.class.as_str()),
        });
        done
    }

    async fn attempt(&self, url: &WebUrl, mut outgoing: Outgoing, place: Place) -> Result<Exchanged, Failure> {
        let via = self.bounds.proxy.via(url);
        let key = Key::new(&self.owner, url, via.as_ref().map(Via::shown));
        let direct = via.is_none();
        let mut pooled = self
            .connections
            .take(&key, |peer| !direct || self.vet(url, &[peer.ip()]).is_ok());
        let repeatable = outgoing.is_repeatable();
        let mut request = outgoing.build();
        loop {
            let reused = pooled.is_some();
            let mut open = match pooled.take() {
                Some(open) => open,
                None => self.open(url, via.as_ref(), key.clone(), place).await?,
            };
            self.hops.update(place, |hop| hop.address = Some(open.peer));
            open.meter.grant(self.bounds.read());
            let whole = via.as_ref().is_some_and(|via| forwards(via, url));
            shape(&mut request, url, open.sender.is_http2(), whole)?;
            if whole && let Some(basic) = via.as_ref().and_then(|via| via.basic.clone()) {
                request.headers_mut().insert(http::header::PROXY_AUTHORIZATION, basic);
            }
            let what = format!("waiting for the answer of {}", url.origin());
            let unsent = match self.deadline.hold(&what, open.sender.send(request)).await? {
                Ok(response) if is_ambiguous(response.headers()) => return Err(ambiguous(url)),
                Ok(response) => return Ok(self.answered(response, open)),
                Err(unsent) => unsent,
            };
            // A server may close a connection that waits at any moment.
            request = match unsent.request {
                Some(request) if reused => *request,
                None if reused && repeatable && is_closed(&unsent.error) => outgoing.build(),
                _ => return Err(refused(url, &unsent.error, open.sender.is_http2())),
            };
        }
    }

    fn answered(&self, response: http::Response<Incoming>, open: Open) -> Exchanged {
        let (head, incoming) = response.into_parts();
        Exchanged {
            head,
            incoming,
            lease: Lease {
                connections: Arc::clone(&self.connections),
                open,
                runtime: Handle::current(),
            },
        }
    }

    async fn open(&self, url: &WebUrl, via: Option<&Via>, key: Key, place: Place) -> Result<Open, Failure> {
        let addresses = match via {
            None => self.addresses(url).await?,
            Some(via) => self.addresses_of_proxy(url, via).await?,
        };
        let shown = via.map_or_else(|| url.origin(), |via| format!("the proxy {}", via.shown()));
        let dialled = self
            .deadline
            .hold(&format!("connecting to {shown}"), super::dial::dial(&addresses))
            .await?;
        let (stream, peer) =
            dialled.map_err(|error| Failure::new(Class::Connect, format!("no connection to {shown}: {error}")))?;
        self.hops.update(place, |hop| hop.address = Some(peer));
        let meter = Meter::new();
        let (stream, http2) = self
            .deadline
            .hold(
                &format!("the TLS handshake with {shown}"),
                self.secured(url, via, Box::new(Metered::new(stream, Arc::clone(&meter)))),
            )
            .await??;
        let sender = Sender::handshake(stream, http2).await?;
        Ok(Open {
            key,
            peer,
            sender,
            meter,
        })
    }

    /// Through the proxy, and TLS where the URL wants it; whether HTTP/2 was agreed on.
    async fn secured(&self, url: &WebUrl, via: Option<&Via>, mut stream: Stream) -> Result<(Stream, bool), Failure> {
        let tls = &self.bounds.tls;
        if let Some(via) = via {
            if via.kind == Kind::Https {
                let host = via
                    .host
                    .parse()
                    .map_or_else(|_| Host::Name(via.host.clone()), host_of_address);
                stream = Box::new(tls.connect(&host, &via.shown(), &["http/1.1"], stream).await?);
            }
            if !forwards(via, url) {
                stream = super::tunnel::through(via, url, stream).await?;
            }
        }
        if !url.is_https() {
            return Ok((stream, false));
        }
        let secured = tls
            .connect(url.host(), &url.origin(), &["h2", "http/1.1"], stream)
            .await?;
        let http2 = secured.get_ref().1.alpn_protocol() == Some(b"h2");
        Ok((Box::new(secured), http2))
    }
}

/// A refusal of the URL scope as a failure: what was refused, by which rule, and what would change it.
pub(super) fn denied(refusal: &Refusal) -> Failure {
    let Refusal { rule, reason, change } = refusal;
    let hint = change.as_ref().map(|change| format!(". An operator can {change}"));
    let message = format!("denied, {reason} (rule {rule}){}", hint.unwrap_or_default());
    Failure::new(Class::Denied, message)
}

/// Whether a proxy sends the request on by itself, instead of connecting through.
fn forwards(via: &Via, url: &WebUrl) -> bool {
    via.kind != Kind::Socks5 && !url.is_https()
}

fn host_of_address(address: IpAddr) -> Host {
    match address {
        IpAddr::V4(address) => Host::V4(address),
        IpAddr::V6(address) => Host::V6(address),
    }
}

/// A URL for messages and records: without its query.
pub(super) fn recorded(url: &WebUrl) -> String {
    let text = url.as_str();
    match text.split_once('?') {
        Some((before, _)) => format!("{before}?…"),
        None => text.to_owned(),
    }
}
