//! Whole calls on objects that change, are mounted, or are no files.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::fs::{CWD, RenameFlags};
use rustix::mount::{UnmountFlags, mount_bind, unmount};
use serde_json::{Value, json};
use toolgate::{Call, Config, Mode, Session, SessionOptions};
use toolgate_tests::rig::builder;
use toolgate_tests::vectors::{self, ObjectCall, ObjectOutcome, ObjectRow, Workspace, check_after};

use super::verdict;

/// A mount that ends with the row.
struct Mount(std::path::PathBuf);

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = unmount(&self.0, UnmountFlags::DETACH);
    }
}

/// A thread that exchanges two names until dropped.
struct Swapping {
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Swapping {
    fn start(one: std::path::PathBuf, other: std::path::PathBuf) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let mut even = true;
            // Ends as it began.
            while !seen.load(Ordering::Relaxed) || !even {
                rustix::fs::renameat_with(CWD, &one, CWD, &other, RenameFlags::EXCHANGE).unwrap();
                even = !even;
            }
        });
        Self {
            stop,
            thread: Some(thread),
        }
    }
}

impl Drop for Swapping {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

async fn call(row: &ObjectRow, call: &ObjectCall, session: &Session, workspace: &Workspace) -> Result<(), String> {
    let arguments = workspace.expand_value(&Value::Object(call.args.clone()));
    let started = Instant::now();
    let outcome = session.call(Call::new(call.tool.as_str(), arguments)).await;
    let took = started.elapsed();
    let (succeeded, text) = match outcome {
        Ok(result) => (true, Value::Object(result.value).to_string()),
        Err(error) => (false, error.message),
    };
    let told = || format!("{}: {} came to {succeeded}: {text}", row.id, call.tool);
    let expected = match call.outcome {
        ObjectOutcome::Ok => succeeded,
        ObjectOutcome::Refused => !succeeded,
        ObjectOutcome::Either => true,
    };
    if !expected || call.holds.as_ref().is_some_and(|part| !text.contains(part)) {
        return Err(told());
    }
    if let Some(part) = row.never.iter().find(|part| text.contains(*part)) {
        return Err(format!("{}, which holds {part:?}", told()));
    }
    if row.within_ms.is_some_and(|limit| took > Duration::from_millis(limit)) {
        return Err(format!("{}, after {took:?}", told()));
    }
    Ok(())
}

async fn run(row: &ObjectRow) -> Result<(), String> {
    let workspace = Workspace::create(&row.setup)?;
    let _mount = match &row.bind {
        Some(bind) => {
            let at = workspace.path(&bind.at);
            let from = if bind.from.starts_with('/') {
                bind.from.clone().into()
            } else {
                workspace.path(&bind.from)
            };
            mount_bind(from, &at).map_err(|error| format!("{}: {error}", row.id))?;
            Some(Mount(at))
        }
        None => None,
    };
    let mut config = Config::default();
    config.permissions.mode = Mode::Yolo;
    config.path_scope.cross_device = row.cross_device;
    config.tool_output.digest = false;
    if let Some(hardlinks) = &row.hardlinks {
        config.path_scope.hardlinks = serde_json::from_value(json!(hardlinks)).map_err(|error| error.to_string())?;
    }
    let host = builder(workspace.inside())
        .config(config)
        .build()
        .map_err(|error| format!("{}: {error}", row.id))?;
    let session = host.session(SessionOptions::default());
    {
        let _swapping = row
            .swap
            .as_ref()
            .map(|swap| Swapping::start(workspace.path(&swap.one), workspace.path(&swap.other)));
        for _ in 0..row.times.unwrap_or(1) {
            for one in &row.calls {
                call(row, one, &session, &workspace).await?;
            }
        }
    }
    check_after(&row.after, &workspace).map_err(|error| format!("{}: {error}", row.id))
}

#[tokio::test]
async fn path_objects() {
    let rows = vectors::load_table::<ObjectRow>("path-objects").rows;
    let (mut ran, mut failures) = (0, Vec::new());
    for row in &rows {
        if row.bind.is_some() && !vectors::running_as_root() {
            continue;
        }
        ran += 1;
        failures.extend(run(row).await.err());
    }
    verdict("path-objects", ran, failures);
}
