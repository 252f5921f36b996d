//! Takes up changes of the configuration while a server runs.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use toolgate::Host;
use toolgate::config::{Effective, Poll, Watcher};
use toolgate::mcp::visible::escape;

use super::{output, remarks};

/// How often the files are looked at: soon enough for whoever has just saved one, and a few
/// system calls each time.
const INTERVAL: Duration = Duration::from_secs(1);

/// Looks at the files from now on, in a thread of its own, and at each SIGHUP. That ends the
/// server instead when it comes because the terminal is gone. Must be called in a runtime; the
/// thread ends with it.
///
/// # Errors
/// When the signal cannot be handled.
pub(super) fn follow(host: Host, watcher: Watcher, shutdown: CancellationToken) -> io::Result<()> {
    let (sender, receiver) = channel();
    on_hangup(sender, shutdown)?;
    let mut watcher = watcher;
    std::thread::Builder::new()
        .name("configuration".to_owned())
        .spawn(move || {
            loop {
                let found = match receiver.recv_timeout(INTERVAL) {
                    Ok(()) => watcher.reload(),
                    Err(RecvTimeoutError::Timeout) => watcher.poll(),
                    Err(RecvTimeoutError::Disconnected) => return,
                };
                match found {
                    Poll::Unchanged => {}
                    Poll::Reloaded(effective) => take_up(&host, &effective),
                    Poll::Broken(errors) => {
                        let problems = escape_lines(&errors.to_string());
                        output::complain(&format!("the old configuration stays in force:\n{problems}"));
                    }
                }
            }
        })?;
    Ok(())
}

fn on_hangup(sender: Sender<()>, shutdown: CancellationToken) -> io::Result<()> {
    let mut hangups = signal(SignalKind::hangup())?;
    let is_attended = io::stdin().is_terminal();
    tokio::spawn(async move {
        while hangups.recv().await.is_some() {
            // A terminal that has hung up is none any more.
            if is_attended && !io::stdin().is_terminal() {
                shutdown.cancel();
                return;
            }
            if sender.send(()).is_err() {
                return;
            }
        }
    });
    Ok(())
}

fn take_up(host: &Host, effective: &Effective) {
    match host.reload(effective.clone()) {
        Ok(left) => {
            output::notice(&format!(
                "the configuration was loaded again; the mode is {}",
                host.mode()
            ));
            for remark in left {
                output::notice(&escape(&remark.to_string()));
            }
            remarks::at_start(effective);
        }
        Err(error) => output::complain(&format!(
            "the old configuration stays in force: {}",
            escape(&error.to_string())
        )),
    }
}

fn escape_lines(text: &str) -> String {
    text.lines().map(escape).collect::<Vec<_>>().join("\n")
}
