//! Running: a fresh store and instance for every call, gone when it ends, however it ends.

use std::sync::Arc;
use std::time::Duration;

use wasmtime::{Store, Trap};

use super::bindings::exports::toolgate::plugin::tool as wit;
use super::component::{Loader, Plugin};
use super::engine::Sandbox;
use super::filesystem::Options;
use super::state::{CallState, Ready};
use crate::call::{CallError, ErrorKind};
use crate::catalog::Caps;
use crate::config::{Config, Limits};
use crate::gate::Approval;
use crate::scope::PathScope;

/// Component handles one store may hold.
const MAX_HANDLES: usize = 4_096;
/// Least hostcall fuel: bytes a guest may hand over in one call of the boundary.
pub(super) const MIN_FUEL: usize = 2 << 20;

/// What stays the same for all calls of a host.
pub(crate) struct Runner {
    pub(crate) loader: Arc<Loader>,
    pub(crate) scope: Arc<PathScope>,
    pub(crate) limits: Limits,
    pub(super) options: Options,
    pub(crate) own_files: Arc<[String]>,
    pub(crate) pending: Option<Arc<std::path::Path>>,
}

/// One call, ready to run.
pub(crate) struct Job<'a> {
    pub(crate) tool: &'a str,
    pub(crate) plugin: &'a Arc<Plugin>,
    pub(crate) approval: Approval,
    pub(crate) caps: Caps,
    pub(crate) deadline: Duration,
    pub(crate) threads: Threads,
}

/// Whose threads the guest runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Threads {
    /// Those of the sandbox, so that nothing the guest does can hold up the caller's.
    Sandbox,
    /// The one that waits for the result, so that no other has to be woken.
    Caller,
}

impl Runner {
    pub(crate) fn new(
        loader: Loader,
        scope: Arc<PathScope>,
        config: &Config,
        own_files: Arc<[String]>,
        pending: Option<Arc<std::path::Path>>,
    ) -> Self {
        Self {
            loader: Arc::new(loader),
            scope,
            limits: config.limits,
            options: Options {
                hardlinks: config.path_scope.hardlinks,
                cross_device: config.path_scope.cross_device,
            },
            own_files,
            pending,
        }
    }

    /// Runs a call to its end or its deadline and returns the JSON text of its result.
    ///
    /// # Errors
    /// What the tool said, or how it failed.
    pub(crate) async fn run(&self, job: Job<'_>) -> Result<String, CallError> {
        let tool = job.tool.to_owned();
        let fail = |kind, message: String| CallError::new(kind, format!("{tool}: {message}"));
        let sandbox = &self.loader.sandbox;
        if !sandbox.watchdog.healthy() {
            return Err(fail(
                ErrorKind::Unavailable,
                "the host cannot interrupt guests at the moment and takes no calls; restart it".to_owned(),
            ));
        }
        let late = |kind: &str| {
            CallError::new(
                ErrorKind::Deadline,
                format!(
                    "{}: stopped after {:.1} s {kind}; narrow the call, or give it more time (--deadline)",
                    job.tool,
                    job.deadline.as_secs_f64()
                ),
            )
        };
        let started = tokio::time::Instant::now();
        let slot = match tokio::time::timeout(job.deadline, sandbox.slots.clone().acquire_owned()).await {
            Ok(Ok(slot)) => slot,
            Ok(Err(_)) => return Err(fail(ErrorKind::Unavailable, "the host is shutting down".to_owned())),
            Err(_) => return Err(late("of waiting for other calls")),
        };
        let left = job.deadline.saturating_sub(started.elapsed());
        let ready = match tokio::time::timeout(left, self.ready(job.plugin)).await {
            Ok(Ok(ready)) => ready,
            Ok(Err(error)) => {
                tracing::error!(%error, "a tool cannot be prepared");
                return Err(fail(
                    ErrorKind::Unavailable,
                    "the tool cannot be prepared; the reason is in the log".to_owned(),
                ));
            }
            Err(_) => return Err(late("of compiling the tool, which goes on")),
        };
        let (files, paths) = self.files(job.tool, &job.approval)?;
        let state = CallState::new(files, self.limits.memory_bytes, sandbox.handles);
        let store = new_store(sandbox, state, fuel(job.caps));
        let grant = wit::Grant {
            paths,
            caps: wit::Caps {
                max_bytes: job.caps.max_bytes,
                max_lines: job.caps.max_lines,
            },
        };
        let arguments = serde_json::Value::Object(job.approval.arguments).to_string();
        let name = tool.clone();
        let work = async move {
            let result = call(store, ready, &name, &arguments, &grant).await;
            drop(slot);
            result
        };
        let left = job.deadline.saturating_sub(started.elapsed());
        let finished = match job.threads {
            Threads::Sandbox => tokio::time::timeout(left, AbortOnDrop(sandbox.runtime().spawn(work))).await,
            Threads::Caller => tokio::time::timeout(left, work).await.map(Ok),
        };
        match finished {
            Ok(Ok(result)) => result,
            Ok(Err(error)) => {
                tracing::error!(tool = job.tool, %error, "a call broke down in the host");
                Err(fail(
                    ErrorKind::Failed,
                    "internal error of the host; the details are in the log".to_owned(),
                ))
            }
            Err(_) => Err(late("of running")),
        }
    }

    /// Drives a future on this thread to its end.
    pub(crate) fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.loader.sandbox.runtime().block_on(future)
    }

    /// The prepared plugin. Compiling takes seconds, so it happens on a thread
    /// of its own, and goes on when this caller gives up: the next one needs it.
    async fn ready(&self, plugin: &Arc<Plugin>) -> Result<Ready, String> {
        if let Some(ready) = plugin.prepared() {
            return Ok(ready.clone());
        }
        let loader = Arc::clone(&self.loader);
        let plugin = Arc::clone(plugin);
        let task = self
            .loader
            .sandbox
            .runtime()
            .spawn_blocking(move || loader.ready(&plugin).cloned());
        match task.await {
            Ok(ready) => ready.map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// Ends the guest when nobody waits for it any more.
struct AbortOnDrop<T>(tokio::task::JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl<T> Future for AbortOnDrop<T> {
    type Output = Result<T, tokio::task::JoinError>;

    fn poll(mut self: std::pin::Pin<&mut Self>, context: &mut std::task::Context<'_>) -> std::task::Poll<Self::Output> {
        std::pin::Pin::new(&mut self.0).poll(context)
    }
}

fn fuel(caps: Caps) -> usize {
    crate::output::result_limit(caps).saturating_mul(2).max(MIN_FUEL)
}

pub(super) fn new_store(sandbox: &Sandbox, state: CallState, fuel: usize) -> Store<CallState> {
    let mut store = Store::new(&sandbox.engine, state);
    store.limiter(|state| &mut state.limiter);
    store.set_hostcall_fuel(fuel);
    store.set_max_component_handles(MAX_HANDLES);
    // At each tick the guest gives way, so that its deadline and its caller are heard.
    store.set_epoch_deadline(1);
    store.epoch_deadline_async_yield_and_update(1);
    store
}

async fn call(
    mut store: Store<CallState>,
    ready: Ready,
    tool: &str,
    arguments: &str,
    grant: &wit::Grant,
) -> Result<String, CallError> {
    let outcome = async {
        let instance = ready.instantiate_async(&mut store).await?;
        instance
            .toolgate_plugin_tool()
            .call_call(&mut store, tool, arguments, grant)
            .await
    }
    .await;
    log_stderr(&store, tool);
    match outcome {
        Ok(Ok(text)) => Ok(text),
        Ok(Err(error)) => Err(CallError::new(
            error_kind(error.kind),
            format!("{tool}: {}", readable(&error.message)),
        )),
        Err(error) => Err(broken(&store, tool, &error)),
    }
}

/// A failure of the guest itself: short for the model, in full for the log.
fn broken(store: &Store<CallState>, tool: &str, error: &wasmtime::Error) -> CallError {
    tracing::warn!(tool, error = ?format!("{error:#}"), "a tool broke down");
    let limiter = &store.data().limiter;
    if limiter.refused {
        return CallError::new(
            ErrorKind::Limit,
            format!(
                "{tool}: the tool needed more than the {} MiB of memory that a call may use (limits.memory_bytes)",
                limiter.limit() >> 20
            ),
        );
    }
    let why = match error.downcast_ref::<Trap>() {
        Some(Trap::StackOverflow) => "it recursed too deeply",
        Some(Trap::OutOfFuel | Trap::Interrupt) => "it was interrupted",
        _ => "internal error of the tool",
    };
    CallError::new(ErrorKind::Failed, format!("{tool}: {why}; the details are in the log"))
}

fn log_stderr(store: &Store<CallState>, tool: &str) {
    if let Some(runtime) = &store.data().wasi {
        let text = runtime.stderr.contents();
        if !text.is_empty() {
            tracing::info!(target: "toolgate::plugin", tool, stderr = ?String::from_utf8_lossy(&text));
        }
    }
}

/// At most 16 KiB of a guest's message, with control characters escaped.
fn readable(message: &str) -> String {
    let end = message.floor_char_boundary(16 << 10);
    message[..end]
        .chars()
        .flat_map(|char| {
            let keep = !char.is_control() || matches!(char, '\n' | '\t');
            let escaped = (!keep).then(|| char.escape_default());
            escaped.into_iter().flatten().chain(keep.then_some(char))
        })
        .collect()
}

fn error_kind(kind: wit::ErrorKind) -> ErrorKind {
    match kind {
        wit::ErrorKind::InvalidArguments => ErrorKind::InvalidArguments,
        wit::ErrorKind::NotFound => ErrorKind::NotFound,
        wit::ErrorKind::Denied => ErrorKind::Denied,
        wit::ErrorKind::Limit => ErrorKind::Limit,
        wit::ErrorKind::Deadline => ErrorKind::Deadline,
        wit::ErrorKind::Cancelled => ErrorKind::Cancelled,
        wit::ErrorKind::Unavailable => ErrorKind::Unavailable,
        wit::ErrorKind::Failed => ErrorKind::Failed,
    }
}
