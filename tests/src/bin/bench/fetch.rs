//! Fetching over loopback: what the scope, the vetting and the sandbox add to a plain HTTP client, and whether a slow
//! network holds up calls that do not need it.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use toolgate::{Call, Config, Host, Mode, Session, SessionOptions};
use toolgate_tests::net::{ScriptServer, Step, scripts};
use toolgate_tests::rig::target;

use crate::report::Row;
use crate::timing::{Samples, ratio, show};
use crate::{Outcome, Shared};

const SMALL: usize = 1 << 10;
const LARGE: usize = 10 << 20;
/// Calls that fetch slowly at the same time.
const SLOW: usize = 500;
/// How long the server of those keeps them waiting.
const WAIT: Duration = Duration::from_secs(1);

pub(crate) fn measure(_: &Shared) -> Outcome<Vec<Row>> {
    let server = ScriptServer::routes([
        ("/small", scripts::ok(vec![b'x'; SMALL], "text/plain")),
        ("/large", scripts::ok(vec![b'x'; LARGE], "text/plain")),
        ("/slow", slow()),
    ]);
    let directory = tempfile::tempdir()?;
    std::fs::write(directory.path().join("file.txt"), "text\n")?;
    let host = host(directory.path(), &server)?;
    let session = host.session(SessionOptions::default());
    let mut rows = vec![
        against_reqwest(
            "fetch_url 1 KiB, connection kept",
            &session,
            &server.url("/small"),
            1_000,
        )?,
        against_reqwest("fetch_url 10 MiB, connection kept", &session, &server.url("/large"), 20)?,
    ];
    rows.extend(beside_slow_ones(&host, &server)?);
    Ok(rows)
}

fn host(root: &Path, server: &ScriptServer) -> Outcome<Host> {
    let mut config = Config::default();
    config.url_scope.allow = vec![format!("http://{}", server.address())];
    config.url_scope.max_body_bytes = 2 * LARGE as u64;
    config.limits.concurrency = 1024;
    config.limits.deadline_seconds = 120.0;
    config.url_scope.timeout_seconds = 120;
    let host = Host::builder()
        .root(root)
        .mode(Mode::Yolo)
        .config(config)
        .cache_dir(target("bench-cache"))
        .state_dir(target("bench-state"))
        .build()?;
    host.warm()?;
    Ok(host)
}

fn slow() -> Vec<Step> {
    let mut script = vec![Step::Wait(WAIT)];
    script.extend(scripts::ok("late", "text/plain"));
    script
}

/// Our call and a plain client in turns, so that both meet the same machine.
fn against_reqwest(name: &str, session: &Session, url: &str, rounds: usize) -> Outcome<Row> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let client = reqwest::Client::builder().no_proxy().build()?;
    let plain = || -> Outcome<usize> {
        runtime.block_on(async { Ok(client.get(url).send().await?.error_for_status()?.text().await?.len()) })
    };
    let ours = || -> Outcome<usize> {
        let result = session.call_blocking(Call::new("fetch_url", json!({"url": url})))?;
        Ok(result.value["body"].as_str().map_or(0, str::len))
    };
    if plain()? != ours()? {
        return Err("the two clients read different bodies".into());
    }
    let mut samples = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        let started = Instant::now();
        ours()?;
        samples[0].push(started.elapsed());
        let started = Instant::now();
        plain()?;
        samples[1].push(started.elapsed());
    }
    let [ours, peer] = samples.map(Samples::new);
    Ok(Row::new(format!("{name}; peer: reqwest"), ours.p50_and_p99())
        .peer(peer.p50_and_p99(), ratio(ours.median(), peer.median())))
}

/// `stat` alone, and while so many calls wait for a slow server.
fn beside_slow_ones(host: &Host, server: &ScriptServer) -> Outcome<Vec<Row>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let session = host.session(SessionOptions::default());
    let alone = stats(&session, &AtomicBool::new(true), Some(2_000))?;
    let idle = resident_mib()?;
    let url = server.url("/slow");
    let started = Instant::now();
    let done = Arc::new(AtomicBool::new(false));
    let fetches: Vec<_> = (0..SLOW)
        .map(|_| {
            let (session, url) = (host.session(SessionOptions::default()), url.clone());
            runtime.spawn(async move { session.call(Call::new("fetch_url", json!({"url": url}))).await })
        })
        .collect();
    let watcher = Arc::clone(&done);
    let waiting = runtime.spawn(async move {
        let mut failures = 0;
        for fetch in fetches {
            failures += usize::from(!matches!(fetch.await, Ok(Ok(_))));
        }
        watcher.store(true, Ordering::Relaxed);
        (failures, started.elapsed())
    });
    std::thread::sleep(WAIT / 2);
    let busy = resident_mib()?;
    let beside = stats(&session, &done, None)?;
    let (failures, took) = runtime.block_on(waiting)?;
    if failures > 0 {
        return Err(format!("{failures} of {SLOW} slow fetches failed").into());
    }
    Ok(vec![
        Row::new(
            format!("stat beside {SLOW} fetches of {} each; peer: stat alone", show(WAIT)),
            beside.p50_and_p99(),
        )
        .peer(alone.p50_and_p99(), ratio(beside.percentile(99), alone.percentile(99))),
        Row::new(
            format!("all {SLOW} of them, as many at once as there are places for"),
            show(took),
        ),
        Row::new(
            format!("resident memory with {SLOW} slow fetches; peer: before"),
            format!("{busy:.1} MiB"),
        )
        .peer(format!("{idle:.1} MiB"), busy / idle.max(1.0)),
    ])
}

/// Calls of `stat`, so many or until something is done.
fn stats(session: &Session, done: &AtomicBool, count: Option<usize>) -> Outcome<Samples> {
    let mut samples = Vec::new();
    while count.map_or(!done.load(Ordering::Relaxed), |count| samples.len() < count) {
        let started = Instant::now();
        session.call_blocking(Call::new("stat", json!({"path": "file.txt"})))?;
        samples.push(started.elapsed());
        // Callers come now and then; one that never rests would measure only itself.
        std::thread::sleep(Duration::from_micros(200));
    }
    Ok(Samples::new(samples))
}

fn resident_mib() -> Outcome<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    Ok(kib.ok_or("no VmRSS in /proc/self/status")? / 1024.0)
}
