//! Logging, to standard error only.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// Warnings by default. `-v` adds what Toolgate does, `-vv` its details, `-vvv`
/// those of its libraries. `TOOLGATE_LOG` holds a filter and wins.
pub(super) fn init(verbose: u8) {
    let filter = match std::env::var("TOOLGATE_LOG") {
        Ok(filter) if !filter.is_empty() => filter,
        _ => default_filter(verbose).to_owned(),
    };
    let filter = EnvFilter::try_new(&filter).unwrap_or_else(|error| {
        super::output::complain(&format!("TOOLGATE_LOG={filter:?} is not a filter: {error}"));
        EnvFilter::new(default_filter(verbose))
    });
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .without_time()
        .init();
}

/// The MCP library warns about every request that a client gets wrong, which
/// the client is told anyway.
fn default_filter(verbose: u8) -> &'static str {
    match verbose {
        0 => "warn,rmcp=error",
        1 => "warn,rmcp=error,toolgate=info",
        2 => "info,rmcp=warn,toolgate=debug",
        _ => "debug,toolgate=trace",
    }
}
