use std::time::{Duration, Instant};

use super::super::*;
use super::*;

fn percentiles(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_nanos() as f64 / 1000.0;
    println!(
        "{name:44} p50 {:8.1} µs  p90 {:8.1}  p99 {:8.1}  p99.9 {:8.1}",
        at(0.5),
        at(0.9),
        at(0.99),
        at(0.999)
    );
}

fn run(name: &str, sync: Sync, count: usize, pause: Duration, content: usize) {
    let place = Place::new();
    let mut options = place.options();
    options.config.sync = sync;
    let audit = Audit::open(options).unwrap();
    let arguments = json!({"path": "/project/src/main.rs", "content": "line of text\n".repeat(content / 13)});
    record(&audit, "s", 0);
    let mut times = Vec::with_capacity(count);
    for _ in 0..count {
        let started = Instant::now();
        audit.record_blocking(&Entry {
            arguments: Some(&arguments),
            decision: Some(Decided {
                allowed: true,
                by: Some("the path scope"),
                origin: None,
            }),
            result: Some("{\"content\":\"…\"}"),
            ..Entry::new("s", "write_file")
        });
        times.push(started.elapsed());
        if !pause.is_zero() {
            std::thread::sleep(pause);
        }
    }
    drop(audit);
    assert!(place.verify().is_complete());
    percentiles(name, times);
}

/// Figures, not a test: `cargo test --release latency -- --ignored --nocapture`.
#[test]
#[ignore = "measures"]
fn figures() {
    let pause = Duration::from_micros(200);
    run("none, one after the other", Sync::None, 10_000, Duration::ZERO, 26);
    run("none, a call every 200 µs", Sync::None, 5_000, pause, 26);
    run("none, 32 KiB of content", Sync::None, 2_000, pause, 32 * 1024);
    run("none, 1 MiB of content", Sync::None, 200, pause, 1024 * 1024);
    run("each", Sync::Each, 300, Duration::ZERO, 26);
    direct(10_000);
    let place = Place::new();
    let audit = place.open();
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let audit = &audit;
            scope.spawn(move || {
                for number in 0..50_000 {
                    record(audit, "s", number);
                    if number % 500 == 0 {
                        audit.flush(Duration::from_secs(60)).unwrap();
                    }
                }
            });
        }
    });
    drop(audit);
    println!(
        "4 threads: {:.0} records/s",
        200_000.0 / started.elapsed().as_secs_f64()
    );
    let started = Instant::now();
    let report = place.verify();
    let bytes: u64 = report.files.iter().map(|file| file.bytes).sum();
    assert!(report.is_complete() && report.records == 200_000, "{report:?}");
    println!(
        "verify: {} lines, {} MB in {:?}",
        report.lines,
        bytes / 1_000_000,
        started.elapsed()
    );
}

/// What a call would wait for if it wrote itself.
fn direct(count: usize) {
    let place = Place::new();
    let options = place.options();
    let mut log = super::super::log::Log::new(options, "h".to_owned());
    let entry = Entry::new("s", "write_file");
    let mut times = Vec::with_capacity(count);
    for _ in 0..count {
        let started = Instant::now();
        let body = super::super::render::entry(&entry, "h");
        assert!(log.append([body.as_str()].into_iter()).outcome.is_ok());
        times.push(started.elapsed());
        std::thread::sleep(Duration::from_micros(200));
    }
    percentiles("direct write, a call every 200 µs", times);
}
