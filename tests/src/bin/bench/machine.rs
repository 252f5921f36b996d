//! What the figures were measured on.

use std::fs::read_to_string;
use std::process::Command;

/// Prints one line for each fact that changes figures.
pub(crate) fn print() {
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    println!("cpu:      {}, {cores} cores", cpu_model());
    println!("memory:   {} GiB", memory_gib());
    println!("kernel:   Linux {}", first_line("/proc/sys/kernel/osrelease"));
    println!("rust:     {}", version("rustc"));
    println!("wasmtime: {}", wasmtime());
    println!("ripgrep:  {}", version("rg"));
    println!("load:     {} (one, five, fifteen minutes)", load());
}

fn first_line(path: &str) -> String {
    let text = read_to_string(path).unwrap_or_default();
    text.lines().next().unwrap_or("unknown").trim().to_owned()
}

fn cpu_model() -> String {
    let text = read_to_string("/proc/cpuinfo").unwrap_or_default();
    // Arm kernels give no model name.
    let line = text.lines().find(|line| line.starts_with("model name"));
    line.and_then(|line| line.split_once(':'))
        .map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}

fn memory_gib() -> u64 {
    let kib = first_line("/proc/meminfo")
        .split_whitespace()
        .nth(1)
        .and_then(|number| number.parse::<u64>().ok());
    kib.unwrap_or(0) >> 20
}

fn load() -> String {
    let line = first_line("/proc/loadavg");
    line.split_whitespace().take(3).collect::<Vec<_>>().join(" ")
}

/// The version that the lock file pins, for the library has no way to ask.
fn wasmtime() -> String {
    include_str!("../../../../Cargo.lock")
        .split("[[package]]")
        .find(|package| package.contains("name = \"wasmtime\"\n"))
        .and_then(|package| package.split("version = \"").nth(1))
        .and_then(|rest| rest.split('"').next())
        .unwrap_or("unknown")
        .to_owned()
}

fn version(program: &str) -> String {
    let output = Command::new(program).arg("--version").output();
    let text = output.map_or_else(
        |error| format!("missing: {error}"),
        |output| String::from_utf8_lossy(&output.stdout).into_owned(),
    );
    text.lines().next().unwrap_or("unknown").to_owned()
}
