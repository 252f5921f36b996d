//! Ctrl-C and its relatives.

use std::io;
use std::process::ExitCode;

use tokio::signal::unix::{SignalKind, signal};

/// A request to stop.
#[derive(Debug, Clone, Copy)]
pub(super) enum Signal {
    /// SIGINT, Ctrl-C.
    Interrupt,
    /// SIGTERM.
    Terminate,
}

impl Signal {
    /// From now on both signals end the returned future instead of the process.
    ///
    /// # Errors
    /// When a handler cannot be installed.
    pub(super) fn next() -> io::Result<impl Future<Output = Self>> {
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => Self::Interrupt,
                _ = terminate.recv() => Self::Terminate,
            }
        })
    }

    /// What a shell reports for a process that the signal ended: 128 + number.
    pub(super) fn exit_code(self) -> ExitCode {
        ExitCode::from(match self {
            Self::Interrupt => 130,
            Self::Terminate => 143,
        })
    }
}
