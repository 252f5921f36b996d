//! Running a call: a place among those that run, a prepared plugin, its capabilities, and a deadline for all of it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::OwnedMutexGuard;

use super::bindings::exports::toolgate::plugin::tool as wit;
use super::bounds::Bounds;
use super::component::{Loader, Plugin};
use super::network::{Alerts, CallChannels, Connections, Egress, Hops};
use super::session::SessionView;
use super::state::{Ready, Surroundings};
use super::usage::Usage;
use super::walks::Parts;
use super::work::{AbortOnDrop, Place, SharedTree, Work};
use crate::call::{CallError, ErrorKind};
use crate::catalog::{Caps, Definition};
use crate::gate::Approval;
use crate::session::plans::SessionPlans;

/// What stays the same for all calls of a host.
pub(crate) struct Runner {
    pub(crate) loader: Arc<Loader>,
    pub(crate) pending: Option<Arc<std::path::Path>>,
    /// The names of all registered tools.
    pub(crate) tools: Arc<BTreeSet<String>>,
}

/// One call, ready to run.
pub(crate) struct Job<'a> {
    pub(crate) definition: &'a Definition,
    pub(crate) plugin: &'a Arc<Plugin>,
    /// Those of the approval, which does not hold them any more.
    pub(crate) arguments: &'a Value,
    pub(crate) approval: Approval,
    pub(crate) bounds: Arc<Bounds>,
    pub(crate) caps: Caps,
    /// When its time began to run.
    pub(crate) started: Instant,
    /// What the caller asked for, if anything.
    pub(crate) deadline: Option<Duration>,
    pub(crate) threads: Threads,
    pub(crate) session: Option<SessionView>,
    /// Where the guest counts what it uses.
    pub(crate) usage: Arc<Usage>,
    /// What requests and messages of the session go through.
    pub(crate) egress: Arc<Egress>,
    pub(crate) connections: Arc<Connections>,
    pub(crate) alerts: Arc<Alerts>,
    /// The name of the session.
    pub(crate) session_name: &'a str,
    /// Where requests are noted.
    pub(crate) hops: Arc<Hops>,
    /// The session's plans, if the tool is the one that records them.
    pub(crate) plans: Option<Arc<SessionPlans>>,
    /// The turn of a tool that changes things; it ends with the guest, which
    /// may outlive its caller by a moment.
    pub(crate) turn: Option<OwnedMutexGuard<()>>,
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
    pub(crate) fn new(loader: Loader, pending: Option<Arc<std::path::Path>>, tools: Arc<BTreeSet<String>>) -> Self {
        Self {
            loader: Arc::new(loader),
            pending,
            tools,
        }
    }

    /// Runs a call to its end or its deadline and returns the JSON text of its result.
    ///
    /// # Errors
    /// What the tool said, or how it failed.
    pub(crate) async fn run(&self, mut job: Job<'_>) -> Result<String, CallError> {
        let tool = job.definition.name.as_str();
        let fail = |kind, message: String| CallError::new(kind, format!("{tool}: {message}"));
        let sandbox = &self.loader.sandbox;
        if !sandbox.watchdog.healthy() {
            return Err(fail(
                ErrorKind::Unavailable,
                "the host cannot interrupt guests at the moment and takes no calls; restart it".to_owned(),
            ));
        }
        let deadline = Deadline::new(&job);
        let outward = if job.goes_outward() {
            match deadline.hold(sandbox.outward.clone().acquire_owned()).await {
                Some(permit) => permit.ok(),
                None => return Err(deadline.missed(tool, "of waiting for other calls that use the network")),
            }
        } else {
            None
        };
        let slot = match deadline.hold(sandbox.slots.clone().acquire_owned()).await {
            Some(Ok(slot)) => slot,
            Some(Err(_)) => return Err(fail(ErrorKind::Unavailable, "the host is shutting down".to_owned())),
            None => return Err(deadline.missed(tool, "of waiting for other calls")),
        };
        let ready = match deadline.hold(self.ready(job.plugin)).await {
            Some(Ok(ready)) => ready,
            Some(Err(error)) => return Err(unprepared(tool, &error)),
            None => return Err(deadline.missed(tool, "of compiling the tool, which goes on")),
        };
        let threads = job.threads;
        let turn = job.turn.take();
        let work = self.work(&mut job, ready)?.run(Place { slot, outward }, turn);
        let finished = match threads {
            Threads::Sandbox => deadline.hold(AbortOnDrop(sandbox.runtime().spawn(work))).await,
            Threads::Caller => deadline.hold(work).await.map(Ok),
        };
        match finished {
            Some(Ok(result)) => result,
            Some(Err(error)) => {
                tracing::error!(tool, %error, "a call broke down in the host");
                Err(fail(
                    ErrorKind::Failed,
                    "internal error of the host; the details are in the log".to_owned(),
                ))
            }
            None => Err(deadline.missed(tool, "of running")),
        }
    }

    /// Waits for a turn, no longer than the call may take.
    ///
    /// # Errors
    /// The deadline has passed.
    pub(crate) async fn in_turn<F: Future>(&self, job: &Job<'_>, turn: F) -> Result<F::Output, CallError> {
        let deadline = Deadline::new(job);
        deadline.hold(turn).await.ok_or_else(|| {
            deadline.missed(
                &job.definition.name,
                "of waiting for another call of this session that changes things",
            )
        })
    }

    /// Does work that may take seconds, apart from guests and callers.
    pub(crate) async fn prepare<T: Send + 'static>(
        &self,
        threads: Threads,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> T {
        match threads {
            Threads::Caller => work(),
            Threads::Sandbox => joined(self.loader.sandbox.runtime().spawn_blocking(work)).await,
        }
    }

    /// Does short work that may touch the disk, on the threads of the call.
    pub(crate) async fn on<T: Send + 'static>(&self, threads: Threads, work: impl FnOnce() -> T + Send + 'static) -> T {
        match threads {
            Threads::Caller => work(),
            Threads::Sandbox => joined(self.loader.sandbox.runtime().spawn(async move { work() })).await,
        }
    }

    /// The approval as capabilities, and all else that instances need.
    fn work(&self, job: &mut Job<'_>, ready: Ready) -> Result<Work, CallError> {
        let definition = job.definition;
        let (files, paths) = self.files(&definition.name, &job.approval, &job.bounds)?;
        // Instances of a tool that changes things would each have the whole budget for it.
        let walk = definition.shared_walk.as_ref().filter(|_| definition.class.read_only);
        let walk = walk.and_then(|walk| {
            let paths = &job.approval.paths;
            let tree = paths.iter().position(|path| path.argument == walk.argument)?;
            Some(SharedTree {
                walk: walk.clone(),
                root: files.grants[tree].root,
                relative: files.grants[tree].relative.clone(),
            })
        });
        let urls = job.urls();
        let channels = job.channels();
        Ok(Work {
            sandbox: Arc::clone(&self.loader.sandbox),
            ready,
            tool: definition.name.as_str().into(),
            arguments: job.arguments.to_string().into(),
            grant: Arc::new(wit::Grant {
                paths,
                refused: Self::refused(&definition.name, &job.approval),
                urls: job.granted_urls(),
                channels: channels.as_ref().map(CallChannels::told).unwrap_or_default(),
                caps: wit::Caps {
                    max_bytes: job.caps.max_bytes,
                    max_lines: job.caps.max_lines,
                },
            }),
            caps: job.caps,
            files,
            around: Surroundings {
                tools: Some(Arc::clone(&self.tools)),
                session: job.session.take(),
                walk: Arc::new(Parts::whole(job.bounds.limits.walk_entries)),
                usage: Arc::clone(&job.usage),
                plans: job.plans.take(),
                urls,
                channels,
            },
            memory: job.bounds.limits.memory_bytes,
            walk,
        })
    }

    /// The runtime whose clock runs as long as the host.
    pub(crate) fn clock(&self) -> tokio::runtime::Handle {
        self.loader.sandbox.runtime().clone()
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

/// The error of a tool whose component does not load or compile.
pub(crate) fn unprepared(tool: &str, error: &str) -> CallError {
    tracing::error!(tool, error, "a tool cannot be prepared");
    CallError::new(
        ErrorKind::Unavailable,
        format!("{tool}: the tool cannot be prepared; the reason is in the log"),
    )
}

/// The result of a task that nobody aborts; its panic is the caller's.
async fn joined<T>(task: tokio::task::JoinHandle<T>) -> T {
    match task.await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

/// When a call must be over. One deadline covers queueing, compiling and running.
struct Deadline {
    at: tokio::time::Instant,
    length: Duration,
    /// Whether the tool itself sets it.
    of_tool: bool,
}

impl Deadline {
    fn new(job: &Job<'_>) -> Self {
        let default = job.bounds.limits.deadline();
        let budget = job.definition.budget.map(|budget| Duration::from_millis(budget.into()));
        let budget = budget.filter(|budget| job.deadline.is_none() && *budget < default);
        let length = budget.or(job.deadline).unwrap_or(default);
        Self {
            at: tokio::time::Instant::from_std(job.started) + length,
            length,
            of_tool: budget.is_some(),
        }
    }

    async fn hold<F: Future>(&self, future: F) -> Option<F::Output> {
        tokio::time::timeout_at(self.at, future).await.ok()
    }

    fn missed(&self, tool: &str, what: &str) -> CallError {
        let budget = if self.of_tool { ", its budget" } else { "" };
        CallError::new(
            ErrorKind::Deadline,
            format!(
                "{tool}: stopped after {:.1} s {what}{budget}; narrow the call, or give it more time (--deadline)",
                self.length.as_secs_f64()
            ),
        )
    }
}
