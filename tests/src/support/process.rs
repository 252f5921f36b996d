//! What a running server uses.

use std::time::Duration;

/// The greatest resident size of a process so far, in KiB.
///
/// # Panics
/// When there is no such process.
pub fn peak_kib(pid: u32) -> i64 {
    read(pid, "status")
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|value| value.trim().trim_end_matches(" kB").parse().ok())
        .expect("VmHWM in KiB")
}

/// How much of one processor a process uses now, measured for half a second.
///
/// # Panics
/// When there is no such process.
pub fn processor_share(pid: u32) -> f64 {
    const WINDOW: Duration = Duration::from_millis(500);
    let before = processor_seconds(pid);
    std::thread::sleep(WINDOW);
    (processor_seconds(pid) - before) / WINDOW.as_secs_f64()
}

fn processor_seconds(pid: u32) -> f64 {
    let stat = read(pid, "stat");
    // Fields after the name, which is in parentheses and may hold blanks.
    let fields = stat.rsplit_once(')').expect("a name").1.split_whitespace();
    let ticks: f64 = fields
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok())
        .sum();
    ticks / rustix::param::clock_ticks_per_second() as f64
}

fn read(pid: u32, file: &str) -> String {
    std::fs::read_to_string(format!("/proc/{pid}/{file}")).expect("the process runs")
}
