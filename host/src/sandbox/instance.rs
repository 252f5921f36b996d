//! One instance: a fresh store, the call, and what its end means.

use wasmtime::{Store, Trap};

use super::bindings::exports::toolgate::plugin::tool as wit;
use super::engine::Sandbox;
use super::state::{CallState, Ready};
use crate::call::{CallError, ErrorKind};
use crate::catalog::Caps;

/// Component handles one store may hold.
const MAX_HANDLES: usize = 4_096;
/// Least hostcall fuel: bytes a guest may hand over in one call of the boundary.
pub(super) const MIN_FUEL: usize = 2 << 20;

pub(super) fn fuel(caps: Caps) -> usize {
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

pub(super) async fn call(
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
                "{tool}: the tool needed more than its memory budget of {} MiB (limits.memory_bytes); narrow the call",
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
