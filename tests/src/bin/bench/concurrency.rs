//! Many calls at once: what a second core adds, and what queueing costs.

use std::time::{Duration, Instant};

use serde_json::json;
use toolgate::{Call, CallError, Session};

use crate::calls::Caller;
use crate::report::Row;
use crate::{Outcome, Shared};

const CALLERS: u32 = 64;
const CALLS: u32 = 40_000;

pub(crate) fn measure(_: &Shared) -> Outcome<Vec<Row>> {
    let directory = tempfile::tempdir()?;
    std::fs::write(directory.path().join("file.txt"), "text\n")?;
    let caller = Caller::new(directory.path(), "stat", 0)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut rates = [0.0_f64; 2];
    for _ in 0..3 {
        for (rate, callers) in rates.iter_mut().zip([1, CALLERS]) {
            let took = runtime.block_on(throughput(&caller.session, callers))?;
            *rate = rate.max(f64::from(CALLS) / took.as_secs_f64());
        }
    }
    let [one, many] = rates;
    Ok(vec![
        Row::new(
            format!("stat, {CALLERS} callers at once; peer: one caller"),
            format!("{many:.0} calls/s"),
        )
        .peer(format!("{one:.0} calls/s"), many / one),
    ])
}

/// How long it takes so many callers to make all calls, each one after the other.
async fn throughput(session: &Session, callers: u32) -> Outcome<Duration> {
    let started = Instant::now();
    let tasks: Vec<_> = (0..callers)
        .map(|_| {
            let session = session.clone();
            tokio::spawn(async move {
                for _ in 0..CALLS / callers {
                    session.call(Call::new("stat", json!({"path": "file.txt"}))).await?;
                }
                Ok::<_, CallError>(())
            })
        })
        .collect();
    for task in tasks {
        task.await??;
    }
    Ok(started.elapsed())
}
