//! One MCP session: answers the protocol's requests through one `Session`.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::http::Connection;
use super::tools::ToolTable;
use super::reply;
use crate::{Call, CallError, ErrorKind, Host, Prompter, Session, SessionOptions};

/// Calls that one session may have in flight, running or queued. More would
/// only wait for the host's own limit while holding their arguments in memory.
const MAX_IN_FLIGHT: usize = 256;

/// What all sessions of one server share.
#[derive(Clone)]
pub(super) struct Shared {
    host: Host,
    prompter: Option<Arc<dyn Prompter>>,
    tools: Arc<ToolTable>,
}

impl Shared {
    pub(super) fn new(host: Host, prompter: Option<Arc<dyn Prompter>>) -> Self {
        let tools = Arc::new(ToolTable::new(&host));
        Self {
            host,
            prompter,
            tools,
        }
    }

    /// The handler of a new session. Cancelling `gone` stops its calls.
    pub(super) fn handler(&self, gone: CancellationToken) -> Handler {
        Handler {
            session: self.host.session(SessionOptions {
                prompter: self.prompter.clone(),
                ..SessionOptions::default()
            }),
            tools: self.tools.clone(),
            info: info(&self.host),
            in_flight: Semaphore::new(MAX_IN_FLIGHT),
            gone,
        }
    }
}

pub(super) struct Handler {
    session: Session,
    tools: Arc<ToolTable>,
    info: ServerConfig,
    in_flight: Semaphore,
    gone: CancellationToken,
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.info.clone()
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools.get(name).cloned()
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if request.is_some_and(|request| request.cursor.is_some()) {
            return Err(ErrorData::invalid_params(
                "the list of tools has one page; leave out the cursor",
                None,
            ));
        }
        Ok(ListToolsResult::with_all_items(self.tools.all()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if self.tools.get(&request.name).is_none() {
            return Err(self.tools.unknown(&request.name));
        }
        let Ok(_in_flight) = self.in_flight.try_acquire() else {
            return Ok(reply::failure(&too_many()).into());
        };
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let call = Call::new(request.name, arguments);
        // Dropping the call's future is what stops the guest.
        let outcome = tokio::select! {
            biased;
            () = context.ct.cancelled() => Err(given_up("the client cancelled the call")),
            () = self.gone.cancelled() => Err(given_up("the client is gone")),
            () = Connection::closed(&context.extensions) => Err(given_up("the client is gone")),
            outcome = self.session.call(call) => outcome,
        };
        Ok(outcome
            .map_or_else(|error| reply::failure(&error), reply::success)
            .into())
    }
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

fn info(host: &Host) -> ServerConfig {
    ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
        .with_server_info(
            Implementation::new("toolgate", env!("CARGO_PKG_VERSION")).with_title("Toolgate"),
        )
        .with_instructions(format!(
            "These tools work on the project at {}, in permission mode {}; relative paths are relative to that \
             directory. A denied call names the setting that would allow it: report that to the operator instead of \
             trying another way.",
            host.root().display(),
            host.mode()
        ))
}
