//! What is sent: headers that nobody can use to say something else.

use http::header::{
    ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, HOST, HeaderMap, HeaderName, HeaderValue, RANGE, SET_COOKIE, USER_AGENT,
};
use http::uri::PathAndQuery;
use http::{Method, Request, Uri};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Empty, Full};

use super::connection::Body;
use super::decoder::ENCODINGS;
use super::failure::{Class, Failure};
use crate::config::OF_CONNECTION;
use crate::scope::web::WebUrl;

/// What requests say of themselves.
const AGENT: &str = concat!("toolgate/", env!("CARGO_PKG_VERSION"));
/// Headers that a tool may give to `fetch`.
const OF_TOOLS: [HeaderName; 3] = [ACCEPT, ACCEPT_LANGUAGE, RANGE];
/// Bytes of a header that a tool gives.
const MOST: usize = 4096;

/// A request without its URL.
pub(super) struct Outgoing {
    pub(super) method: Method,
    pub(super) headers: HeaderMap,
    /// Absent for requests without one, which can be repeated.
    pub(super) body: Option<Body>,
}

impl Outgoing {
    /// A `GET` with these headers, and those of every such request.
    pub(super) fn get(given: &HeaderMap) -> Self {
        let mut headers = given.clone();
        if !headers.contains_key(ACCEPT) {
            headers.insert(ACCEPT, HeaderValue::from_static("*/*"));
        }
        // Ranges are counted in bytes as they are stored, which encoding would change.
        let encodings = if headers.contains_key(RANGE) {
            "identity"
        } else {
            ENCODINGS
        };
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(encodings));
        Self {
            method: Method::GET,
            headers,
            body: None,
        }
    }

    /// A `POST` of JSON text.
    pub(super) fn post_json(text: String, mut headers: HeaderMap) -> Self {
        headers.insert(http::header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let body = Full::new(bytes::Bytes::from(text)).map_err(|never| match never {});
        Self {
            method: Method::POST,
            headers,
            body: Some(UnsyncBoxBody::new(body)),
        }
    }

    /// Whether it may be sent again on another connection when the first one turns out to be closed.
    pub(super) fn is_repeatable(&self) -> bool {
        self.body.is_none() && (self.method == Method::GET || self.method == Method::HEAD)
    }

    /// The request as hyper takes it; [`shape`] makes it fit a connection.
    pub(super) fn build(&mut self) -> Request<Body> {
        let body = self.body.take();
        let body = body.unwrap_or_else(|| UnsyncBoxBody::new(Empty::new().map_err(|never| match never {})));
        let mut request = Request::new(body);
        *request.method_mut() = self.method.clone();
        request.headers_mut().clone_from(&self.headers);
        request
            .headers_mut()
            .entry(USER_AGENT)
            .or_insert(HeaderValue::from_static(AGENT));
        request
    }
}

/// Puts a URL into a request, in the form that the connection needs: whole for HTTP/2 and for
/// proxies, path and `Host` otherwise.
pub(super) fn shape(request: &mut Request<Body>, url: &WebUrl, http2: bool, whole: bool) -> Result<(), Failure> {
    let fail = |reason: String| Failure::new(Class::Invalid, format!("{url} cannot be requested: {reason}"));
    let uri: Uri = url
        .as_str()
        .parse()
        .map_err(|error: http::uri::InvalidUri| fail(error.to_string()))?;
    request.headers_mut().remove(HOST);
    if http2 {
        *request.uri_mut() = uri;
        return Ok(());
    }
    let authority = uri.authority().map(|authority| authority.as_str().to_owned());
    let host = authority.ok_or_else(|| fail("it has no host".to_owned()))?;
    let host = HeaderValue::from_str(&host).map_err(|error| fail(error.to_string()))?;
    request.headers_mut().insert(HOST, host);
    *request.uri_mut() = if whole {
        uri
    } else {
        let path = uri.path_and_query().cloned();
        Uri::from(path.unwrap_or_else(|| PathAndQuery::from_static("/")))
    };
    Ok(())
}

/// The headers that a tool gave to `fetch`.
///
/// # Errors
/// Names the header that is not allowed or not one.
pub(super) fn headers_of_tool(given: &[(String, String)]) -> Result<HeaderMap, Failure> {
    let mut headers = HeaderMap::new();
    for (name, value) in given {
        let shown: String = name.escape_debug().take(64).collect();
        let fail = |reason: &str| Failure::new(Class::Invalid, format!("the request header \"{shown}\" {reason}"));
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| fail("is no name of a header"))?;
        if !OF_TOOLS.contains(&name) {
            return Err(fail(
                "cannot be set by a tool; it may set accept, accept-language and range",
            ));
        }
        if value.len() > MOST {
            return Err(fail(&format!("has {} bytes; at most {MOST} are allowed", value.len())));
        }
        let value = HeaderValue::from_str(value).map_err(|_| fail("has a value with control characters"))?;
        headers.append(name, value);
    }
    Ok(headers)
}

/// Whether a tool may see a header of a response: cookies and what concerns the connection are the host's.
pub(super) fn is_for_tools(name: &HeaderName) -> bool {
    *name != SET_COOKIE && name.as_str() != "set-cookie2" && !is_of_connection(name)
}

/// Whether a header concerns one connection only, or what this host keeps to itself.
pub(super) fn is_of_connection(name: &HeaderName) -> bool {
    OF_CONNECTION.contains(&name.as_str())
}
