//! Memory of a server: at rest, and with as many calls in flight as it runs at once.

use std::time::Duration;

use serde_json::json;

use crate::client::Client;
use crate::report::Row;
use crate::{Outcome, Shared};

/// Calls that a host runs at once unless configured otherwise.
const CALLS: usize = 64;
/// How long the server is left alone before it is looked at.
const PAUSE: Duration = Duration::from_secs(1);

pub(crate) fn measure(shared: &Shared) -> Outcome<Vec<Row>> {
    let tree = shared.tree()?;
    let config = tempfile::Builder::new().suffix(".toml").tempfile()?;
    // Together they take longer than one call may, on few processors.
    std::fs::write(config.path(), "[limits]\ndeadline_seconds = 600\n")?;
    let mut client = Client::start(tree.path(), Some(config.path()))?;
    std::thread::sleep(PAUSE);
    let idle = client.memory_mib("VmRSS")?;
    let arguments = json!({"pattern": "no line of the tree says this"});
    for _ in 0..CALLS {
        client.begin("grep", &arguments)?;
    }
    std::thread::sleep(PAUSE);
    let busy = client.memory_mib("VmRSS")?;
    for _ in 0..CALLS {
        client.receive()?;
    }
    let peak = client.memory_mib("VmHWM")?;
    std::thread::sleep(PAUSE);
    let after = client.memory_mib("VmRSS")?;
    Ok(vec![
        Row::new("resident memory of `toolgate serve`, idle", format!("{idle:.1} MiB")),
        Row::new(
            format!("the same with {CALLS} searches in flight; peer: idle"),
            format!("{busy:.1} MiB (peak {peak:.1} MiB)"),
        )
        .peer(format!("{idle:.1} MiB"), peak / idle),
        Row::new("the same when they are over; peer: idle", format!("{after:.1} MiB"))
            .peer(format!("{idle:.1} MiB"), after / idle),
    ])
}
