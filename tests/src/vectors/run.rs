//! Making the calls of a row through a closure and comparing what comes back.

use std::task::Poll;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{CallFailure, Row, RowCall, Workspace, check_after, matches};

/// Makes the calls of `row` with `call`, which runs one tool in the session of this row, then looks at the disk.
///
/// `workspace` is the one created from the row's setup, and the host behind `call` is configured as the row says. The error names the
/// row, the call, the field, what was expected and what came.
pub async fn run_row(
    row: &Row,
    workspace: &Workspace,
    call: impl AsyncFn(&str, Value) -> Result<Value, CallFailure>,
) -> Result<(), String> {
    let at = |index: usize, error: String| {
        let call = &row.calls[index];
        format!("{}, call {} ({}): {error}", row.id, index + 1, call.tool)
    };
    if row.concurrent {
        let calls = row.calls.iter().map(|one| checked(one, workspace, &call)).collect();
        for (index, outcome) in together(calls).await.into_iter().enumerate() {
            outcome.map_err(|error| at(index, error))?;
        }
    } else {
        for (index, one) in row.calls.iter().enumerate() {
            checked(one, workspace, &call).await.map_err(|error| at(index, error))?;
        }
    }
    check_after(&row.after, workspace).map_err(|error| format!("{}, after the calls: {error}", row.id))
}

async fn checked(
    one: &RowCall,
    workspace: &Workspace,
    call: &impl AsyncFn(&str, Value) -> Result<Value, CallFailure>,
) -> Result<(), String> {
    let args = workspace.expand_value(&Value::Object(one.args.clone()));
    let started = Instant::now();
    let limit = one.within_ms.map(Duration::from_millis);
    let late = |limit: Duration| format!("took longer than {} ms", limit.as_millis());
    let outcome = match limit {
        Some(limit) => tokio::time::timeout(limit, call(&one.tool, args))
            .await
            .map_err(|_| late(limit))?,
        None => call(&one.tool, args).await,
    };
    // A call that blocks its thread starves the timer and would come back as if in time.
    match limit.filter(|limit| started.elapsed() > *limit) {
        Some(limit) => Err(late(limit)),
        None => matches(&one.expect, &outcome, workspace),
    }
}

/// Polls all futures until each is done; outputs are in the order of the futures.
async fn together<F: Future>(futures: Vec<F>) -> Vec<F::Output> {
    let mut running: Vec<_> = futures.into_iter().map(|future| (Box::pin(future), None)).collect();
    std::future::poll_fn(|context| {
        let mut pending = false;
        for (future, output) in running.iter_mut().filter(|(_, output)| output.is_none()) {
            match future.as_mut().poll(context) {
                Poll::Ready(value) => *output = Some(value),
                Poll::Pending => pending = true,
            }
        }
        if pending { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
    running.into_iter().filter_map(|(_, output)| output).collect()
}
