//! One MCP session: answers the protocol's requests through one `Session`.

use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorCode, Implementation,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

use super::approval::{Channel, Pending, Rounds, ThroughClient, by_rounds, can_ask};
use super::http::Connection;
use super::long_lines;
use super::reply;
use super::resources;
use super::tools::{self, ToolTable};
use crate::prompters::Media;
use crate::{Call, CallError, ErrorKind, Host, Prompter, Session, SessionOptions};

/// Calls that one session may have in flight, running or queued. More would
/// only wait for the host's own limit while holding their arguments in memory.
const MAX_IN_FLIGHT: usize = 256;

/// The protocol knows no turns. Agents repeat a refused call within seconds; a
/// longer pause means that somebody has spoken in between, and what was refused
/// before may be asked again.
const TURN_PAUSE: Duration = Duration::from_secs(30);

/// What all sessions of one server share.
#[derive(Clone)]
pub(super) struct Shared {
    host: Host,
    media: Media,
    /// Made when somebody lists the tools: all of them must be prepared for that.
    tools: Arc<OnceLock<ToolTable>>,
    pending: Arc<Pending>,
    /// The name of the session to continue, if one was given.
    session: Option<String>,
    /// Holds what clients without a session keep, as long as the server runs.
    kept: Session,
    /// Dropped last: tells the [`Departure`].
    _present: mpsc::Sender<()>,
}

/// Lets a server wait until its handlers are gone, and with them what their
/// unnamed sessions kept: a process that ends before would leave it behind.
pub(super) struct Departure(mpsc::Receiver<()>);

impl Departure {
    /// Handlers end with their connections, so what is waited for is short.
    const PATIENCE: Duration = Duration::from_secs(1);

    /// Waits for the last handler, but no longer than a second.
    pub(super) async fn wait(mut self) {
        if tokio::time::timeout(Self::PATIENCE, self.0.recv()).await.is_err() {
            tracing::debug!("some calls still run; what their sessions keep is deleted when it is old");
        }
    }
}

impl Shared {
    /// `media` are asked beside the client, if that one can ask its user.
    pub(super) fn new(host: Host, media: Media, session: Option<String>) -> (Self, Departure) {
        let (present, departure) = mpsc::channel(1);
        let shared = Self {
            kept: host.session(SessionOptions::default()),
            session,
            host,
            media,
            tools: Arc::default(),
            pending: Arc::default(),
            _present: present,
        };
        (shared, Departure(departure))
    }

    /// Whether there can be whole results to read: the host registers the tool
    /// that reads them exactly where it makes digests.
    fn digests(&self) -> bool {
        self.host.has_tool("retrieve_raw")
    }

    /// The handler of a new session. Cancelling `gone` stops its calls.
    pub(super) fn handler(&self, gone: CancellationToken) -> Handler {
        Handler {
            shared: self.clone(),
            session: OnceLock::new(),
            last_call: Mutex::new(Instant::now()),
            in_flight: Semaphore::new(MAX_IN_FLIGHT),
            gone,
        }
    }
}

pub(super) struct Handler {
    session: OnceLock<Session>,
    last_call: Mutex<Instant>,
    in_flight: Semaphore,
    gone: CancellationToken,
    /// Last, so that the session is over when the departure is told.
    shared: Shared,
}

impl Handler {
    /// The session, made when the first call shows what its client can do.
    fn session(&self, context: &RequestContext<RoleServer>) -> &Session {
        let session = self.session.get_or_init(|| {
            let prompter = if can_ask(context) {
                Some(Arc::new(ThroughClient::new(&self.shared.media)) as Arc<dyn Prompter>)
            } else {
                self.shared.media.prompter(None)
            };
            // Over HTTP, the newer protocol has no sessions: its clients share what is kept between
            // calls, and nothing else.
            if by_rounds(context) && Connection::carried(&context.extensions) {
                return self.shared.kept.sibling(prompter);
            }
            self.shared.host.session(SessionOptions {
                prompter,
                id: self.shared.session.clone(),
                ..SessionOptions::default()
            })
        });
        let mut last = self.last_call.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if std::mem::replace(&mut *last, Instant::now()).elapsed() > TURN_PAUSE {
            session.new_turn();
        }
        session
    }

    /// One call, until it returns, asks, or nobody waits for it any more.
    async fn run(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let rounds = Arc::new(Rounds::new(self.shared.pending.answers(&request)));
        let channel = if by_rounds(context) {
            Channel::Rounds(rounds.clone())
        } else {
            Channel::Elicit(context.peer.clone())
        };
        let arguments = request.arguments.unwrap_or_default();
        let call = Call::new(request.name.clone(), Value::Object(arguments.clone()));
        // Dropping the call's future is what stops the guest.
        let outcome = tokio::select! {
            biased;
            () = context.ct.cancelled() => Err(given_up("the client cancelled the call")),
            () = self.gone.cancelled() => Err(given_up("the client is gone")),
            () = Connection::closed(&context.extensions) => Err(given_up("the client is gone")),
            question = rounds.question() => {
                let remembers = !Connection::carried(&context.extensions);
                let call = (request.name.into_owned(), arguments);
                return Ok(self.shared.pending.ask(call, question, remembers)?.into());
            }
            outcome = channel.scope(self.session(context).call(call)) => outcome,
        };
        Ok(outcome
            .map_or_else(
                |error| reply::failure(&error),
                |result| reply::success(result, knows_links(context)),
            )
            .into())
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        info(&self.shared)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.shared.tools.get()?.get(name).cloned()
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        one_page(request.as_ref())?;
        let (tools, host) = (Arc::clone(&self.shared.tools), self.shared.host.clone());
        let all = aside(move || Ok(tools.get_or_init(|| ToolTable::new(&host)).all())).await?;
        Ok(ListToolsResult::with_all_items(all))
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        one_page(request.as_ref())?;
        let session = self.session(&context).clone();
        let all = aside(move || resources::list(&session)).await?;
        Ok(ListResourcesResult::with_all_items(all))
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        one_page(request.as_ref())?;
        let all = self.shared.digests().then(resources::template);
        Ok(ListResourceTemplatesResult::with_all_items(all.into_iter().collect()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let session = self.session(&context).clone();
        let content = aside(move || resources::read(&session, &request.uri)).await?;
        Ok(ReadResourceResult::new(vec![content]).into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let refusal = long_lines::refusal(&request.method, request.params.as_ref());
        Err(refusal.unwrap_or_else(|| ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Ok(_in_flight) = self.in_flight.try_acquire() else {
            return Ok(reply::failure(&too_many()).into());
        };
        if !self.shared.host.has_tool(&request.name) {
            let unknown = tools::unknown(&self.shared.host, &request.name);
            // Made all the same, so that it is recorded like any other.
            let call = Call::new(request.name, Value::Object(request.arguments.unwrap_or_default()));
            let _ = self.session(&context).call(call).await;
            return Err(unknown);
        }
        self.run(request, &context).await
    }
}

fn one_page(request: Option<&PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request {
        Some(request) if request.cursor.is_some() => Err(ErrorData::invalid_params(
            "the list has one page; leave out the cursor",
            None,
        )),
        _ => Ok(()),
    }
}

/// Does work that may wait for the store, and thereby for other processes,
/// away from the threads that serve clients.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ErrorData> + Send + 'static,
) -> Result<T, ErrorData> {
    let failed = |error: tokio::task::JoinError| Err(ErrorData::internal_error(error.to_string(), None));
    tokio::task::spawn_blocking(work).await.unwrap_or_else(failed)
}

/// Whether the client's version of the protocol has links to resources in
/// results: a client of an older one may refuse the whole result.
fn knows_links(context: &RequestContext<RoleServer>) -> bool {
    context
        .protocol_version()
        .is_some_and(|version| version.as_str() >= ProtocolVersion::V_2025_06_18.as_str())
}

fn given_up(message: &str) -> CallError {
    CallError::new(ErrorKind::Cancelled, message)
}

fn too_many() -> CallError {
    CallError::new(
        ErrorKind::Limit,
        format!("{MAX_IN_FLIGHT} calls of this session are in flight; repeat this one when some have returned"),
    )
}

fn info(shared: &Shared) -> ServerConfig {
    let capabilities = if shared.digests() {
        ServerCapabilities::builder().enable_tools().enable_resources().build()
    } else {
        ServerCapabilities::builder().enable_tools().build()
    };
    ServerConfig::new(capabilities)
        .with_server_info(Implementation::new("toolgate", env!("CARGO_PKG_VERSION")).with_title("Toolgate"))
        .with_instructions(format!(
            "These tools work on the project at {}, in permission mode {}; relative paths are relative to that \
             directory. A denied call names the setting that would allow it: report that to the operator instead of \
             trying another way.",
            shared.host.root().display(),
            shared.host.mode()
        ))
}
