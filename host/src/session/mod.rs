//! Sessions: who calls, with which grants. The only caller of catalog, gate, sandbox and output, in this order.
//! Called by front ends and embedders.
//! Must not touch: effects of its own; everything happens in the rooms it calls.

mod kept;
mod permissions;
pub mod plans;
mod record;
pub mod store;
mod toolset;

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::call::{Call, CallError, CallResult};
use crate::catalog::{Definition, Registered};
use crate::gate::{Gate, PlanState, Prompter};
use crate::host::Inner;
use crate::sandbox::{Connections, Job, Threads};
use kept::Kept;
pub use permissions::{Permissions, Projection, documented, outcome};
use plans::{Author, RecordedPlan, Replanned, SessionPlans, StoredFlag};
use record::{Record, Verdict};
use store::{Page, PayloadInfo, StoreError};
pub use toolset::{Called, ForeignTool, GateToolset, Toolset};

/// How a session is set up.
#[derive(Clone)]
pub struct SessionOptions {
    /// Who can be asked for approvals; without one, what needs asking is refused.
    pub prompter: Option<Arc<dyn Prompter>>,
    /// The session's name, at most 256 bytes. What a named session keeps is found again under the
    /// same name, by later processes too. Without one it is forgotten when the session ends.
    pub id: Option<String>,
    /// Whether large results of survey tools may become digests: off where nobody could ask this
    /// session for the whole result afterwards.
    pub digest: bool,
    /// The name of the agent that calls, if it has one: plans are recorded for it.
    pub agent: Option<String>,
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self {
            prompter: None,
            id: None,
            digest: true,
            agent: None,
        }
    }
}

/// One caller and what it was granted. Cheap to clone; clones share grants.
#[derive(Clone)]
pub struct Session {
    host: Arc<Inner>,
    state: Arc<State>,
    /// The subagent that calls, if it is not the session itself.
    source: Option<Arc<str>>,
}

struct State {
    gate: Gate,
    kept: Arc<Kept>,
    plans: Arc<SessionPlans>,
    digest: bool,
    /// The open connections of this session, which no other shares.
    connections: Arc<Connections>,
}

impl Session {
    pub(crate) fn new(host: Arc<Inner>, options: SessionOptions) -> Self {
        let kept = Arc::new(Kept::new(host.store.clone(), options.id));
        let author = Author {
            agent: options.agent,
            session: Some(kept.id().to_owned()),
        };
        let flag = match kept.lasting() {
            Some(lease) => PlanState::kept_in(Box::new(StoredFlag(lease))),
            None => PlanState::new(),
        };
        let plans = Arc::new(SessionPlans::new(Arc::clone(&host.plans), author, flag));
        Self::over(host, kept, plans, options.prompter, options.digest)
    }

    /// Another caller, who shares what this session keeps and its plan, and none of its grants.
    #[must_use]
    pub fn sibling(&self, prompter: Option<Arc<dyn Prompter>>) -> Self {
        let (host, kept) = (Arc::clone(&self.host), Arc::clone(&self.state.kept));
        let plans = Arc::clone(&self.state.plans);
        Self::over(host, kept, plans, prompter, self.state.digest)
    }

    fn over(
        host: Arc<Inner>,
        kept: Arc<Kept>,
        plans: Arc<SessionPlans>,
        prompter: Option<Arc<dyn Prompter>>,
        digest: bool,
    ) -> Self {
        let mut gate = Gate::new(
            kept.id().to_owned(),
            prompter.filter(|_| !host.builder.unattended),
            host.runner.clock(),
        );
        gate.plan = Arc::clone(plans.state());
        gate.always = Arc::clone(&host.always);
        gate.store.clone_from(&host.grant_store);
        let state = State {
            gate,
            kept,
            plans,
            digest: digest && host.digests,
            connections: host.egress.connections(),
        };
        Self {
            host,
            state: Arc::new(state),
            source: None,
        }
    }

    /// The name, given or drawn.
    pub fn id(&self) -> &str {
        self.state.kept.id()
    }

    /// A new turn of the agent: what the operator refused may be asked again,
    /// and another plan is no draft of the last one.
    pub fn new_turn(&self) {
        self.state.gate.grants.new_turn();
        self.state.plans.new_turn();
    }

    /// Records a plan, as the tool `record_plan` does: a file in the agents directory, and the
    /// note that this session has a plan. Waits for the disk.
    ///
    /// # Errors
    /// `invalid_arguments` for a blank plan, `limit` for one above [`plans::PLAN_BYTES`],
    /// `unavailable` where plans are off or there is no agents directory, `failed` if the file
    /// cannot be written. The session is as before then.
    pub fn record_plan(&self, plan: &str) -> Result<RecordedPlan, CallError> {
        self.state.plans.record(plan).map_err(|error| error.of("record_plan"))
    }

    /// Withdraws the session's newest plan: its file is renamed to `plan-N-revoked.md`, and the
    /// session has no plan any more, even if it had no file. A newest plan of somebody else is left
    /// alone. For the operator; no tool does it. Waits for the disk.
    ///
    /// # Errors
    /// `failed` if the file cannot be renamed; the session has no plan then either.
    pub fn replan(&self) -> Result<Replanned, CallError> {
        self.state.plans.replan().map_err(|error| error.of("replan"))
    }

    /// Whether the session has a plan on record.
    pub fn plan_recorded(&self) -> bool {
        self.state.plans.state().recorded()
    }

    /// A copy of what a tool's plugin keeps for this session under a key; for
    /// `todo` the key `list`.
    ///
    /// # Errors
    /// The tool is not registered, or the store cannot be read.
    pub fn kept_by(&self, tool: &str, key: &str) -> Result<Option<Vec<u8>>, CallError> {
        let (component, _) = self.host.catalog.get(tool)?;
        let space = self.host.plugins[component].space();
        self.state.kept.state(space, key)
    }

    /// Part of the whole result of a digested call: `limit` bytes from
    /// `offset`, cut between characters. `None` if there is none of this id.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn payload(&self, call_id: &str, offset: u64, limit: u64) -> Result<Option<Page>, StoreError> {
        self.state.kept.payload(call_id, offset, limit)
    }

    /// The whole results that are kept, oldest first.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn payloads(&self) -> Result<Vec<PayloadInfo>, StoreError> {
        self.state.kept.payloads()
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

    /// A call and its record. Where no call may run without one, the log is asked first.
    async fn recorded(&self, call: Call, threads: Threads) -> Result<CallResult, CallError> {
        let mut record = Record::new(&self.host, self.id(), call.tool, call.arguments, call.id);
        let outcome = match record.ready().await {
            Ok(()) => self.pass(&mut record, call.deadline, threads).await,
            Err(error) => Err(error),
        };
        record.write(&outcome).await;
        outcome
    }

    /// Catalog, gate, sandbox, output: each room hands on what the next one needs.
    async fn pass(
        &self,
        record: &mut Record<'_>,
        deadline: Option<Duration>,
        threads: Threads,
    ) -> Result<CallResult, CallError> {
        let host = &*self.host;
        let (component, registered) = host.catalog.get(&record.tool)?;
        record.component = Some(component);
        let registered = match registered {
            Some(registered) => Arc::clone(registered),
            None => self.load(&record.tool, threads).await?,
        };
        let definition = &registered.definition;
        let plugin = &host.plugins[registered.component];
        let arguments = registered.arguments(&mut record.arguments)?;
        let settings = host.settings();
        let decided = self
            .state
            .gate
            .decide(&settings.posture, definition, arguments, self.source.as_deref());
        let decision = record.wait.of(decided).await;
        record.verdict = Verdict::of(&decision);
        let mut approval = decision?;
        record.arguments = Value::Object(std::mem::take(&mut approval.arguments));
        let caps = settings.caps.get(&definition.name, definition.caps);
        let mut job = Job {
            definition,
            plugin,
            arguments: &record.arguments,
            approval,
            bounds: Arc::clone(&settings.bounds),
            caps,
            started: Instant::now(),
            deadline,
            threads,
            session: self.state.kept.view(plugin.space()),
            usage: Arc::clone(&record.usage),
            egress: Arc::clone(&host.egress),
            connections: Arc::clone(&self.state.connections),
            alerts: Arc::clone(&host.alerts),
            session_name: self.id(),
            hops: Arc::clone(&record.hops),
            plans: plugin.records_plans().then(|| Arc::clone(&self.state.plans)),
            turn: None,
        };
        if !definition.class.read_only {
            job.turn = Some(host.runner.in_turn(&job, self.state.kept.turn()).await?);
        }
        let text = host.runner.run(job).await?;
        let value = crate::output::finish(&definition.name, caps, &text)?;
        let whole = CallResult {
            value,
            text,
            payload: None,
        };
        Ok(self.digested(definition, record.id.clone(), whole, threads).await)
    }

    /// A tool that is needed for the first time. Compiling it can take seconds,
    /// which must not hold up the caller's threads.
    async fn load(&self, tool: &str, threads: Threads) -> Result<Arc<Registered>, CallError> {
        let (host, tool) = (Arc::clone(&self.host), tool.to_owned());
        self.host.runner.prepare(threads, move || host.tool(&tool)).await
    }

    /// The digest of a large result of a survey tool, with the result itself
    /// in the store; the result itself where a digest is not worth it.
    async fn digested(
        &self,
        definition: &Definition,
        call_id: Option<String>,
        whole: CallResult,
        threads: Threads,
    ) -> CallResult {
        if !definition.survey || !self.state.digest || whole.text.len() <= crate::output::digest::THRESHOLD {
            return whole;
        }
        let state = Arc::clone(&self.state);
        let tool = definition.name.clone();
        let work = move || match crate::output::digest::digest(&tool, &whole.text) {
            Some(digest) => state.kept.shorten(&tool, call_id, &whole, &digest),
            None => whole,
        };
        self.host.runner.on(threads, work).await
    }
}
