//! Sessions: who calls, with which grants. The only caller of catalog, gate, sandbox and output, in this order.
//! Called by front ends and embedders.
//! Must not touch: effects of its own; everything happens in the rooms it calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::call::{Call, CallError, CallResult};
use crate::gate::{Gate, Grants, Prompter};
use crate::host::Inner;
use crate::sandbox::Threads;

/// How a session is set up.
#[derive(Default, Clone)]
pub struct SessionOptions {
    /// Who can be asked for approvals; without one, what needs asking is refused.
    pub prompter: Option<Arc<dyn Prompter>>,
    /// A name for logs; drawn if absent.
    pub id: Option<String>,
}

/// One caller and what it was granted. Cheap to clone; clones share grants.
#[derive(Clone)]
pub struct Session {
    host: Arc<Inner>,
    state: Arc<State>,
}

struct State {
    id: String,
    gate: Gate,
}

impl Session {
    pub(crate) fn new(host: Arc<Inner>, options: SessionOptions) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(1);
        let id = options
            .id
            .unwrap_or_else(|| format!("session-{}", COUNT.fetch_add(1, Ordering::Relaxed)));
        let gate = Gate {
            mode: host.mode,
            policy: Arc::clone(&host.policy),
            scope: Arc::clone(&host.runner.scope),
            unscoped: host.unscoped,
            own_files: Arc::clone(&host.own_files),
            grants: Grants::default(),
            prompter: options.prompter,
        };
        Self {
            host,
            state: Arc::new(State { id, gate }),
        }
    }

    /// The name in logs.
    pub fn id(&self) -> &str {
        &self.state.id
    }

    /// A new turn of the agent: what the operator refused may be asked again.
    pub fn new_turn(&self) {
        self.state.gate.grants.new_turn();
    }

    /// Makes one call. Dropping the future cancels it: the guest stops within
    /// one tick (10 ms) and nothing it left unfinished stays.
    ///
    /// # Errors
    /// See [`CallError`]; a failed call has no partial result.
    pub async fn call(&self, call: Call) -> Result<CallResult, CallError> {
        self.recorded(call, Threads::Sandbox).await
    }

    /// Makes one call and waits for it on this thread, which also runs the
    /// guest: no other has to be woken, which takes longer than a short call.
    /// A file system that does not answer holds up this thread, beyond the
    /// deadline if need be; [`Self::call`] keeps such a thing away from its caller.
    ///
    /// # Errors
    /// As [`Self::call`].
    ///
    /// # Panics
    /// In a task of an asynchronous runtime, where waiting is not allowed.
    pub fn call_blocking(&self, call: Call) -> Result<CallResult, CallError> {
        self.host.runner.block_on(self.recorded(call, Threads::Caller))
    }

    async fn recorded(&self, call: Call, threads: Threads) -> Result<CallResult, CallError> {
        let started = Instant::now();
        let tool = call.tool.clone();
        let mut decided_by = None;
        let outcome = self.pass(call, threads, &mut decided_by).await;
        crate::audit::record(
            &crate::audit::Record {
                session: &self.state.id,
                tool: &tool,
                decided_by: decided_by.as_deref(),
                duration: started.elapsed(),
            },
            &outcome,
        );
        outcome
    }

    /// Catalog, gate, sandbox, output: each room hands on what the next one needs.
    async fn pass(
        &self,
        call: Call,
        threads: Threads,
        decided_by: &mut Option<String>,
    ) -> Result<CallResult, CallError> {
        let host = &*self.host;
        let registered = host.catalog.get(&call.tool)?;
        let definition = &registered.definition;
        let arguments = registered.arguments(call.arguments)?;
        let approval = self.state.gate.decide(definition, arguments).await?;
        *decided_by = Some(approval.decided_by.clone());
        let caps = host.caps.get(&definition.name, definition.caps);
        let text = host
            .runner
            .run(crate::sandbox::Job {
                tool: &definition.name,
                plugin: &host.plugins[registered.component],
                approval,
                caps,
                deadline: call.deadline.unwrap_or_else(|| host.runner.limits.deadline()),
                threads,
            })
            .await?;
        let value = crate::output::finish(&definition.name, caps, &text)?;
        Ok(CallResult { value })
    }
}
