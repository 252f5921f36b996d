//! Sessions: who calls, with which grants. The only caller of catalog, gate, sandbox and output, in this order.
//! Called by front ends and embedders.
//! Must not touch: effects of its own; everything happens in the rooms it calls.

mod kept;
pub mod store;

use std::sync::Arc;
use std::time::Instant;

use crate::call::{Call, CallError, CallResult};
use crate::catalog::{Definition, Registered};
use crate::gate::{Gate, Grants, Prompter};
use crate::host::{Inner, Settings};
use crate::sandbox::{Job, Threads};
use kept::Kept;
use store::{Page, PayloadInfo, StoreError};

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
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self {
            prompter: None,
            id: None,
            digest: true,
        }
    }
}

/// One caller and what it was granted. Cheap to clone; clones share grants.
#[derive(Clone)]
pub struct Session {
    host: Arc<Inner>,
    state: Arc<State>,
}

struct State {
    grants: Arc<Grants>,
    prompter: Option<Arc<dyn Prompter>>,
    kept: Arc<Kept>,
    digest: bool,
}

impl Session {
    pub(crate) fn new(host: Arc<Inner>, options: SessionOptions) -> Self {
        let kept = Arc::new(Kept::new(host.store.clone(), options.id));
        Self::over(host, kept, options.prompter, options.digest)
    }

    /// Another caller, who shares what this session keeps and none of its grants.
    #[must_use]
    pub fn sibling(&self, prompter: Option<Arc<dyn Prompter>>) -> Self {
        let (host, kept) = (Arc::clone(&self.host), Arc::clone(&self.state.kept));
        Self::over(host, kept, prompter, self.state.digest)
    }

    fn over(host: Arc<Inner>, kept: Arc<Kept>, prompter: Option<Arc<dyn Prompter>>, digest: bool) -> Self {
        let state = State {
            grants: Arc::default(),
            prompter: prompter.filter(|_| !host.unattended),
            kept,
            digest: digest && host.digests,
        };
        Self {
            host,
            state: Arc::new(state),
        }
    }

    /// The gate of one call: the settings of this moment, the grants of this session.
    fn gate(&self, settings: &Settings) -> Gate {
        Gate {
            mode: settings.mode,
            policy: Arc::clone(&settings.policy),
            scope: Arc::clone(&self.host.runner.scope),
            unscoped: settings.unscoped,
            own_files: Arc::clone(&settings.own_files),
            grants: Arc::clone(&self.state.grants),
            prompter: self.state.prompter.clone(),
        }
    }

    /// The name, given or drawn.
    pub fn id(&self) -> &str {
        self.state.kept.id()
    }

    /// A new turn of the agent: what the operator refused may be asked again.
    pub fn new_turn(&self) {
        self.state.grants.new_turn();
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

    async fn recorded(&self, call: Call, threads: Threads) -> Result<CallResult, CallError> {
        let started = Instant::now();
        let tool = call.tool.clone();
        let mut decided_by = None;
        let outcome = self.pass(call, threads, &mut decided_by).await;
        crate::audit::record(
            &crate::audit::Record {
                session: self.id(),
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
        let settings = host.settings();
        let registered = match host.catalog.get(&call.tool)? {
            (_, Some(registered)) => Arc::clone(registered),
            (_, None) => self.load(&call.tool, threads).await?,
        };
        let definition = &registered.definition;
        let plugin = &host.plugins[registered.component];
        let arguments = registered.arguments(call.arguments)?;
        let approval = self.gate(&settings).decide(definition, arguments).await?;
        *decided_by = Some(approval.decided_by.clone());
        let caps = settings.caps.get(&definition.name, definition.caps);
        let mut job = Job {
            definition,
            plugin,
            approval,
            caps,
            started: Instant::now(),
            deadline: call.deadline,
            threads,
            session: self.state.kept.view(plugin.space()),
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
        Ok(self.digested(definition, call.id, whole, threads).await)
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
