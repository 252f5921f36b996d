//! Tools of other sets behind this session's gate: of an MCP server, of skills, of an embedding program.

use std::future::Future;
use std::pin::Pin;

use serde_json::{Map, Value};

use super::Session;
use super::record::{Record, Verdict};
use crate::call::{CallError, CallResult, ErrorKind};
use crate::gate::Request;

/// A tool as its set describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignTool {
    /// The name under which the set knows it.
    pub name: String,
    /// What the model reads.
    pub description: String,
    /// JSON Schema of the arguments.
    pub input_schema: Value,
    /// Whether it only reads, if it says so itself.
    pub read_only: Option<bool>,
}

/// The result of a foreign call to come.
pub type Called<'a> = Pin<Box<dyn Future<Output = Result<Value, CallError>> + Send + 'a>>;

/// A set of tools that are not this host's own.
pub trait Toolset: Send + Sync {
    /// The tools, in a stable order.
    fn tools(&self) -> Vec<ForeignTool>;

    /// Calls one of them.
    fn call<'a>(&'a self, tool: &'a str, arguments: Map<String, Value>) -> Called<'a>;
}

/// Tools that only read, by name, where a set says nothing itself.
const READ_ONLY: [&str; 11] = [
    "read_file",
    "read_many_files",
    "view_file_outline",
    "stat",
    "list_dir",
    "glob",
    "grep",
    "json_query",
    "fetch_url",
    "wait_and_verify",
    "ask_user",
];

/// A set of tools behind a session's gate: every call is decided first, under
/// the name of the set, and recorded. Names, descriptions, schemas and hints
/// are those of the set.
pub struct GateToolset<T> {
    session: Session,
    namespace: String,
    inner: T,
}

impl<T: Toolset> GateToolset<T> {
    /// Puts a set behind the gate. The namespace is what rules name, as in
    /// `mcp:server_tool`: `mcp`, `skill`, or a name of one's own.
    pub fn new(session: Session, namespace: impl Into<String>, inner: T) -> Self {
        Self {
            session,
            namespace: namespace.into(),
            inner,
        }
    }

    async fn pass(
        &self,
        record: &mut Record<'_>,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<Value, CallError> {
        let tools = self.inner.tools();
        let Some(found) = tools.iter().find(|candidate| candidate.name == tool) else {
            let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
            return Err(CallError::new(
                ErrorKind::NotFound,
                format!(
                    "{}: unknown tool {tool:?}{}; the tools are {}",
                    self.namespace,
                    crate::suggest::hint(tool, names.iter().copied()),
                    names.join(", ")
                ),
            ));
        };
        let request = Request::Named {
            namespace: &self.namespace,
            tool,
            arguments: &arguments,
            read_only: found.read_only.unwrap_or_else(|| READ_ONLY.contains(&tool)),
        };
        let decision = record.wait.of(self.session.check(&request)).await;
        record.verdict = Verdict::of_request(&decision);
        decision?;
        self.inner.call(tool, arguments).await
    }
}

impl<T: Toolset> Toolset for GateToolset<T> {
    fn tools(&self) -> Vec<ForeignTool> {
        self.inner.tools()
    }

    fn call<'a>(&'a self, tool: &'a str, arguments: Map<String, Value>) -> Called<'a> {
        Box::pin(async move {
            let session = &self.session;
            let name = format!("{}/{tool}", self.namespace);
            let mut record = Record::new(
                &session.host,
                session.id(),
                name,
                Value::Object(arguments.clone()),
                None,
            );
            let outcome = match record.ready().await {
                Ok(()) => self.pass(&mut record, tool, arguments).await,
                Err(error) => Err(error),
            };
            record
                .write(&outcome.as_ref().map(as_result).map_err(Clone::clone))
                .await;
            outcome
        })
    }
}

/// A foreign result as the log takes it.
fn as_result(value: &Value) -> CallResult {
    CallResult {
        value: Map::new(),
        text: value.to_string(),
        payload: None,
    }
}
