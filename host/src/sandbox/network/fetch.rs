//! The capability `toolgate:plugin/fetch`: requests for the URLs that the call was granted.
//! Called by guests through the linker.
//! Must not touch: other URLs; a guest names them by number, and cannot name one that is not there.

use std::sync::Arc;

use http::HeaderMap;
use http::response::Parts;
use http_body::Body;
use wasmtime::component::Resource;

use super::body::Reader;
use super::bounds::NetworkBounds;
use super::deadline::Deadline;
use super::egress::{Admission, Exchanged, Route, denied, recorded};
use super::failure::{Class, Failure};
use super::hops::Hops;
use super::pool::Connections;
use super::redirect;
use super::request::{Outgoing, headers_of_tool, is_for_tools};
use super::rules::DenyRules;
use super::threads::Egress;
use crate::sandbox::bindings::toolgate::plugin::fetch as wit;
use crate::sandbox::state::CallState;
use crate::sandbox::work::AbortOnDrop;
use crate::scope::web::WebUrl;

/// What a call may request, and with what.
#[derive(Clone)]
pub(in crate::sandbox) struct CallUrls {
    pub(in crate::sandbox) bounds: Arc<NetworkBounds>,
    pub(in crate::sandbox) egress: Arc<Egress>,
    pub(in crate::sandbox) connections: Arc<Connections>,
    pub(in crate::sandbox) hops: Arc<Hops>,
    pub(in crate::sandbox) rules: DenyRules,
    /// In the order of the grant, each with whether anything may be sent to it.
    pub(in crate::sandbox) granted: Arc<[(WebUrl, bool)]>,
}

/// An answer in the hands of a guest.
#[allow(unreachable_pub)] // the generated bindings name it in a public place
pub struct Answer {
    url: WebUrl,
    head: Parts,
    body: Reader,
}

impl CallUrls {
    /// Whether a URL may be requested, before anything is looked up or dialled.
    pub(super) fn admit(&self, url: &WebUrl) -> Result<(), Failure> {
        let judged = self.bounds.scope.judge(url);
        judged.map_err(|refusal| denied(&refusal))?;
        self.rules.check(url)
    }

    /// The way of a request of this call.
    pub(super) fn route(&self, deadline: Deadline) -> Route {
        Route {
            bounds: Arc::clone(&self.bounds),
            connections: Arc::clone(&self.connections),
            owner: Arc::clone(&self.rules.tool),
            hops: Arc::clone(&self.hops),
            deadline,
            admission: Admission::Scope,
        }
    }

    fn get(&self, number: u32, headers: &[(String, String)]) -> Result<Order, Failure> {
        let granted = usize::try_from(number).ok().and_then(|number| self.granted.get(number));
        let (url, _) = granted.ok_or_else(|| {
            Failure::new(
                Class::Denied,
                match self.granted.len() {
                    0 => "denied, this call was granted no URL".to_owned(),
                    count => format!("denied, this call was granted {count} URLs, and none of number {number}"),
                },
            )
        })?;
        Ok(Order {
            url: url.clone(),
            headers: headers_of_tool(headers)?,
            route: self.route(Deadline::after(self.bounds.timeout)),
            urls: self.clone(),
        })
    }
}

/// A request and all hops that it may lead to.
struct Order {
    url: WebUrl,
    headers: HeaderMap,
    route: Route,
    urls: CallUrls,
}

impl Order {
    /// Follows redirects; each target is parsed, held to the scope and to the gate's deny rules
    /// like the first URL.
    async fn follow(self) -> Result<Answer, Failure> {
        let mut url = self.url.clone();
        let mut hop = 0;
        loop {
            let exchanged = self.one(&url).await.map_err(|failure| at_hop(failure, hop, &url))?;
            let Some(location) = redirect::location(&exchanged.head) else {
                return self.answer(url, exchanged);
            };
            hop += 1;
            if hop > redirect::MOST {
                return Err(Failure::new(
                    Class::Limit,
                    format!(
                        "stopped at redirect {hop}, from {} on: at most {} are followed",
                        url.origin(),
                        redirect::MOST
                    ),
                ));
            }
            let next = url.join(&location).map_err(|error| {
                Failure::new(
                    Class::Denied,
                    format!("redirect {hop}, from {}, leads to no usable URL: {error}", url.origin()),
                )
            })?;
            if !redirect::keeps_tls(&self.route.bounds.scope, &url, &next) {
                return Err(Failure::new(
                    Class::Denied,
                    format!(
                        "denied, redirect {hop} leads from https to {}, and no entry of url_scope.allow admits plain \
                         http for it",
                        recorded(&next)
                    ),
                ));
            }
            // Most redirects have no body, so that the connection can serve the next hop.
            if exchanged.incoming.is_end_stream() {
                exchanged.lease.give_back();
            }
            url = next;
        }
    }

    fn answer(&self, url: WebUrl, exchanged: Exchanged) -> Result<Answer, Failure> {
        let Exchanged { head, incoming, lease } = exchanged;
        let most = self.route.bounds.read();
        let body = Reader::new(
            &head.headers,
            incoming,
            most,
            self.route.deadline,
            lease,
            recorded(&url),
        )?;
        Ok(Answer { url, head, body })
    }

    async fn one(&self, url: &WebUrl) -> Result<Exchanged, Failure> {
        let headers = self.headers_for(url).inspect_err(|failure| {
            self.route.hops.stopped("GET", url, failure);
        })?;
        self.route.exchange(url, Outgoing::get(&headers)).await
    }

    /// What goes along with a request that may be made.
    fn headers_for(&self, url: &WebUrl) -> Result<HeaderMap, Failure> {
        self.urls.admit(url)?;
        let mut headers = self.headers.clone();
        for (name, value) in self.route.bounds.headers_for(url)? {
            headers.insert(name, value);
        }
        Ok(headers)
    }
}

fn at_hop(failure: Failure, hop: usize, url: &WebUrl) -> Failure {
    if hop == 0 {
        return failure;
    }
    Failure {
        message: format!("redirect {hop}, to {}: {}", url.origin(), failure.message),
        ..failure
    }
}

impl wit::Host for CallState {
    async fn body_limit(&mut self) -> wasmtime::Result<u64> {
        Ok(self.around.urls.as_ref().map_or(0, |urls| urls.bounds.body))
    }

    async fn get(
        &mut self,
        url: u32,
        headers: Vec<(String, String)>,
    ) -> wasmtime::Result<Result<Resource<Answer>, wit::Failure>> {
        let Some(urls) = &self.around.urls else {
            return Ok(Err(told(Failure::new(
                Class::Denied,
                "denied, this call was granted no URL",
            ))));
        };
        let answer = async {
            let order = urls.get(url, &headers)?;
            let task = AbortOnDrop(urls.egress.runtime()?.spawn(order.follow()));
            task.await
                .map_err(|error| Failure::new(Class::Protocol, format!("the request broke down: {error}")))?
        };
        match answer.await {
            Ok(answer) => Ok(Ok(self.table.push(answer)?)),
            Err(failure) => Ok(Err(told(failure))),
        }
    }
}

impl wit::HostResponse for CallState {
    async fn url(&mut self, answer: Resource<Answer>) -> wasmtime::Result<String> {
        Ok(self.table.get(&answer)?.url.to_string())
    }

    async fn status(&mut self, answer: Resource<Answer>) -> wasmtime::Result<u16> {
        Ok(self.table.get(&answer)?.head.status.as_u16())
    }

    async fn headers(&mut self, answer: Resource<Answer>) -> wasmtime::Result<Vec<(String, Vec<u8>)>> {
        let headers = &self.table.get(&answer)?.head.headers;
        let shown = headers.iter().filter(|(name, _)| is_for_tools(name));
        Ok(shown
            .map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec()))
            .collect())
    }

    async fn declared_bytes(&mut self, answer: Resource<Answer>) -> wasmtime::Result<Option<u64>> {
        Ok(self.table.get(&answer)?.body.declared())
    }

    async fn read(&mut self, answer: Resource<Answer>, most: u32) -> wasmtime::Result<Result<Vec<u8>, wit::Failure>> {
        let answer = self.table.get_mut(&answer)?;
        let read = answer.body.read(most as usize).await;
        Ok(read.map(Into::into).map_err(told))
    }

    async fn drop(&mut self, answer: Resource<Answer>) -> wasmtime::Result<()> {
        self.table.delete(answer)?;
        Ok(())
    }
}

/// A failure as guests hear of it.
fn told(failure: Failure) -> wit::Failure {
    wit::Failure {
        kind: match failure.class {
            Class::Denied => wit::FailureKind::Denied,
            Class::Invalid => wit::FailureKind::Invalid,
            Class::Limit => wit::FailureKind::Limit,
            Class::Deadline => wit::FailureKind::Deadline,
            Class::Dns | Class::Connect | Class::Tls | Class::Protocol => wit::FailureKind::Unavailable,
        },
        message: failure.message,
    }
}
