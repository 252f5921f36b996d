//! `wasi:http/outgoing-handler` 0.2 for components of other makers: the same client, held to what the call was granted.
//! Called by guests through the linker.
//! Must not touch: the operator's headers; a plugin that may reach a host does not get the operator's credentials for it.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::{Method, Request, Response};
use http_body::{Body, Frame};
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use wasmtime::component::{Linker, ResourceTable};
use wasmtime_wasi_http::{RequestOptions, WasiBody, WasiHttpCtx, WasiHttpCtxView, WasiHttpHooks, WasiHttpView};

use super::body::Lease;
use super::connection::words;
use super::deadline::Deadline;
use super::egress::Exchanged;
use super::failure::{Class, Failure};
use super::fetch::CallUrls;
use super::redirect;
use super::request::{Outgoing, is_for_tools, is_of_connection};
use crate::sandbox::state::CallState;
use crate::sandbox::work::AbortOnDrop;
use crate::scope::web::{Pattern, WebUrl};

/// Bytes of a request's body at most.
const UPLOAD: usize = 10 << 20;
/// Bytes of header fields of one request or response.
const FIELDS: usize = 64 << 10;

type Error = wasmtime_wasi_http::Error;
type Answered = wasmtime_wasi_http::Result<(Response<WasiBody>, Box<dyn Future<Output = Result<(), Error>> + Send>)>;

/// Links `wasi:http/types` and `wasi:http/outgoing-handler`.
pub(in crate::sandbox) fn link(linker: &mut Linker<CallState>) -> wasmtime::Result<()> {
    wasmtime_wasi_http::p2::add_only_http_to_linker_async(linker)
}

/// What the interface needs in a call.
pub(in crate::sandbox) struct HttpState {
    context: WasiHttpCtx,
    hooks: Hooks,
}

impl HttpState {
    pub(in crate::sandbox) fn new(urls: Option<CallUrls>) -> Self {
        let mut context = WasiHttpCtx::new();
        context.set_field_size_limit(FIELDS);
        Self {
            context,
            hooks: Hooks(urls.map(|urls| {
                Arc::new(Grant {
                    patterns: urls.bounds.of_plugin(&urls.rules.tool),
                    granted: Mutex::new(urls.granted.to_vec()),
                    urls,
                })
            })),
        }
    }

    fn view<'a>(&'a mut self, table: &'a mut ResourceTable) -> WasiHttpCtxView<'a> {
        WasiHttpCtxView {
            hooks: &mut self.hooks,
            table,
            ctx: &mut self.context,
        }
    }
}

impl WasiHttpView for CallState {
    fn http(&mut self) -> WasiHttpCtxView<'_> {
        let urls = &self.around.urls;
        let state = self.http.get_or_insert_with(|| Box::new(HttpState::new(urls.clone())));
        state.view(&mut self.table)
    }
}

struct Hooks(Option<Arc<Grant>>);

/// Where this call may send requests of its own.
struct Grant {
    urls: CallUrls,
    /// `tools.network`: hosts for any request.
    patterns: Arc<[Pattern]>,
    /// URLs that the gate approved and what they redirected to, each with whether anything may be sent to it.
    granted: Mutex<Vec<(WebUrl, bool)>>,
}

impl Grant {
    /// Whether a request may be made, before anything is looked up or dialled; how many bytes its
    /// body may have.
    fn admit(&self, method: &Method, url: &WebUrl) -> Result<usize, Failure> {
        let fail = |reason: String| Err(Failure::new(Class::Denied, reason));
        let mut most = UPLOAD;
        if *method == Method::CONNECT || *method == Method::TRACE {
            return fail(format!("denied, the method {method} is not offered"));
        }
        if !self.patterns.iter().any(|pattern| pattern.matches_allow(url)) {
            let granted = self.granted.lock().unwrap_or_else(PoisonError::into_inner);
            let Some((_, send)) = granted.iter().find(|(granted, _)| granted == url) else {
                let tool = &self.urls.rules.tool;
                return fail(format!(
                    "denied, this call was granted no requests to {}; an operator can grant the tool hosts of its own \
                     (tools.network.{tool})",
                    url.origin()
                ));
            };
            if !send && *method != Method::GET && *method != Method::HEAD {
                return fail(format!("denied, {url} was granted for reading, not for {method}"));
            }
            // Also a GET can have a body.
            most = if *send { UPLOAD } else { 0 };
        }
        self.urls.admit(url)?;
        Ok(most)
    }

    /// A granted URL may send on; its target is held to everything else as well.
    fn redirected(&self, from: &WebUrl, head: &http::response::Parts) {
        let target = redirect::location(head).and_then(|location| from.join(&location).ok());
        let mut granted = self.granted.lock().unwrap_or_else(PoisonError::into_inner);
        let known = granted.iter().any(|(url, _)| url == from);
        if let Some(target) = target
            && known
            && granted.len() < self.urls.granted.len() + redirect::MOST
            && redirect::keeps_tls(&self.urls.bounds.scope, from, &target)
        {
            granted.push((target, false));
        }
    }

    async fn send(
        self: Arc<Self>,
        request: Request<WasiBody>,
        deadline: Deadline,
    ) -> Result<Response<WasiBody>, Error> {
        let (parts, body) = request.into_parts();
        let url = WebUrl::parse(&parts.uri.to_string()).map_err(|error| {
            told(&self.urls.rules.tool, &Failure::new(Class::Invalid, error.to_string()));
            Error::HttpRequestUriInvalid
        })?;
        let checked = self.admit(&parts.method, &url);
        let most = checked.map_err(|failure| {
            self.urls.hops.stopped(parts.method.as_str(), &url, &failure);
            told(&self.urls.rules.tool, &failure)
        })?;
        let repeatable = body.is_end_stream();
        let outgoing = Outgoing {
            method: parts.method,
            headers: parts.headers,
            body: (!repeatable).then(|| Limited::new(body, most).boxed_unsync()),
        };
        let exchanged = self.urls.route(deadline).exchange(&url, outgoing).await;
        let exchanged = exchanged.map_err(|failure| told(&self.urls.rules.tool, &failure))?;
        self.redirected(&url, &exchanged.head);
        Ok(self.response(exchanged, deadline))
    }

    fn response(&self, exchanged: Exchanged, deadline: Deadline) -> Response<WasiBody> {
        let Exchanged { head, incoming, lease } = exchanged;
        let body = Passing {
            incoming,
            left: self.urls.bounds.read(),
            clock: Box::pin(tokio::time::sleep_until(deadline.instant())),
            lease: Some(lease),
        };
        let mut response = Response::new(body.boxed_unsync());
        *response.status_mut() = head.status;
        let kept = head.headers.iter();
        let kept = kept.filter(|(name, _)| is_for_tools(name));
        for (name, value) in kept {
            response.headers_mut().append(name.clone(), value.clone());
        }
        response
    }
}

impl WasiHttpHooks for Hooks {
    fn send_request(
        &mut self,
        request: Request<WasiBody>,
        options: Option<RequestOptions>,
        _: Box<dyn Future<Output = Result<(), Error>> + Send>,
    ) -> Box<dyn Future<Output = Answered> + Send> {
        let grant = self.0.clone();
        Box::new(async move {
            let Some(grant) = grant else {
                return Err(Error::HttpRequestDenied);
            };
            // A guest can ask for less time than the operator gives, never for more.
            let wanted = options.and_then(|options| options.first_byte_timeout);
            let most = grant.urls.bounds.timeout;
            let deadline = Deadline::after(wanted.map_or(most, |wanted| wanted.min(most)));
            let runtime = grant.urls.egress.runtime();
            let runtime = runtime
                .map_err(|failure| told(&grant.urls.rules.tool, &failure))?
                .clone();
            let task = AbortOnDrop(runtime.spawn(grant.send(request, deadline)));
            let response = task
                .await
                .map_err(|error| Error::InternalError(Some(error.to_string())))??;
            let nothing: Box<dyn Future<Output = Result<(), Error>> + Send> = Box::new(std::future::ready(Ok(())));
            Ok((response, nothing))
        })
    }

    fn forbidden_header_filter(&mut self) -> wasmtime_wasi_http::ForbiddenHeaderFilter {
        Arc::new(|name| *name == http::header::HOST || is_of_connection(name))
    }
}

/// A body on its way to a guest, which decodes it itself if it asked for an encoding.
struct Passing {
    incoming: Incoming,
    left: u64,
    clock: Pin<Box<tokio::time::Sleep>>,
    lease: Option<Lease>,
}

impl Body for Passing {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let body = self.get_mut();
        if body.clock.as_mut().poll(context).is_ready() {
            return Poll::Ready(Some(Err(Error::ConnectionReadTimeout)));
        }
        Poll::Ready(match ready!(Pin::new(&mut body.incoming).poll_frame(context)) {
            None => {
                if let Some(lease) = body.lease.take() {
                    lease.give_back();
                }
                None
            }
            Some(Err(error)) => {
                tracing::debug!(error = %words(&error), "the body of a response broke off");
                Some(Err(Error::HttpResponseIncomplete))
            }
            Some(Ok(frame)) => {
                let length = frame.data_ref().map_or(0, Bytes::len) as u64;
                match body.left.checked_sub(length) {
                    Some(left) => {
                        body.left = left;
                        Some(Ok(frame))
                    }
                    None => Some(Err(Error::HttpResponseBodySize(None))),
                }
            }
        })
    }
}

/// A failure as the interface has it; what it leaves out goes to the log.
fn told(tool: &str, failure: &Failure) -> Error {
    tracing::info!(target: "toolgate::plugin", tool, reason = %failure, "a request was not made");
    match failure.class {
        Class::Denied => Error::HttpRequestDenied,
        Class::Invalid => Error::HttpRequestUriInvalid,
        Class::Limit => Error::HttpResponseHeaderSectionSize(None),
        Class::Deadline => Error::HttpResponseTimeout,
        Class::Dns => Error::DnsError {
            rcode: None,
            info_code: None,
        },
        Class::Connect => Error::ConnectionRefused,
        Class::Tls => Error::TlsProtocolError,
        Class::Protocol => Error::HttpProtocolError,
    }
}
