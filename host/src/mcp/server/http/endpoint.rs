//! `/mcp`: what is refused before the SDK sees it, and plain answers.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use rmcp::model::ProtocolVersion;
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;

use super::super::handler::Handler;

/// The path of the endpoint.
pub(super) const PATH: &str = "/mcp";

/// Sessions of the 2025 protocol kept at the same time (row M08). The 2026
/// protocol has none.
const MAX_SESSIONS: usize = 256;

/// How long a session may be silent before it is dropped. Its client gets 404
/// and starts a new one, as the protocol says.
const SESSION_IDLE: Duration = Duration::from_secs(30 * 60);

type Service = StreamableHttpService<Handler, LocalSessionManager>;

pub(super) struct Endpoint {
    service: Service,
    sessions: Arc<LocalSessionManager>,
}

impl Endpoint {
    pub(super) fn new(service: Service, sessions: Arc<LocalSessionManager>) -> Self {
        Self { service, sessions }
    }

    pub(super) fn routes(self) -> Router {
        Router::new()
            .route(PATH, any(answer))
            .fallback(elsewhere)
            .with_state(Arc::new(self))
    }

    /// A compressed body could unpack to any size, and a session could be one
    /// too many.
    async fn refuse(&self, method: &Method, headers: &HeaderMap) -> Option<Response> {
        if headers
            .get(CONTENT_ENCODING)
            .is_some_and(|encoding| encoding != "identity")
        {
            let text = "Content-Encoding is not supported; send the message uncompressed\n";
            return Some((StatusCode::UNSUPPORTED_MEDIA_TYPE, text).into_response());
        }
        let opens = method == Method::POST && may_open_session(headers);
        if opens && self.sessions.sessions.read().await.len() >= MAX_SESSIONS {
            let text = format!("{MAX_SESSIONS} sessions are open; close one (DELETE) or retry later\n");
            return Some((StatusCode::SERVICE_UNAVAILABLE, [(RETRY_AFTER, "60")], text).into_response());
        }
        None
    }
}

/// The sessions of one server. Streams carry no resumption token: the answer of
/// a call belongs to the connection that asked for it, and closing that
/// connection cancels the call.
pub(super) fn sessions() -> LocalSessionManager {
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(SESSION_IDLE);
    sessions.session_config.sse_retry = None;
    sessions
}

async fn answer(State(endpoint): State<Arc<Endpoint>>, request: Request) -> Response {
    if let Some(refusal) = endpoint.refuse(request.method(), request.headers()).await {
        return refusal;
    }
    let json = is_json(request.headers());
    let ends_session = request.method() == Method::DELETE;
    let mut response = endpoint.service.handle(request).await;
    // "Accepted" leaves it open whether the session is over; it is, and some
    // clients take only a success without content for that.
    if ends_session && response.status() == StatusCode::ACCEPTED {
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    // The SDK answers a body that is not a message like one of another type.
    if json && response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return not_a_message();
    }
    response.map(Body::new)
}

fn may_open_session(headers: &HeaderMap) -> bool {
    let version = headers.get("mcp-protocol-version");
    !headers.contains_key("mcp-session-id")
        && version.is_none_or(|version| version.as_bytes() < ProtocolVersion::V_2026_07_28.as_str().as_bytes())
}

fn is_json(headers: &HeaderMap) -> bool {
    headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

fn not_a_message() -> Response {
    let error = serde_json::json!({
        "jsonrpc": "2.0",
        "id": null,
        "error": {"code": -32700, "message": "the body is not one JSON-RPC 2.0 message"},
    });
    (
        StatusCode::BAD_REQUEST,
        [(CONTENT_TYPE, "application/json")],
        error.to_string(),
    )
        .into_response()
}

async fn elsewhere() -> Response {
    (StatusCode::NOT_FOUND, format!("the MCP endpoint is {PATH}\n")).into_response()
}
