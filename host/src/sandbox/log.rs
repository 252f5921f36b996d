//! The capability `toolgate:plugin/log`: lines for the operator, bounded.

use crate::sandbox::bindings::toolgate::plugin::log::{Host, Level};
use crate::sandbox::state::CallState;

/// Longest message.
const MAX_MESSAGE: usize = 4 << 10;
/// Most messages of one call.
const MAX_MESSAGES: u32 = 256;

/// How much one call has logged.
#[derive(Debug, Default)]
pub(super) struct LogState {
    count: u32,
}

impl Host for CallState {
    fn log(&mut self, level: Level, message: String) -> wasmtime::Result<()> {
        let tool = self.files.tool.clone();
        self.log.count = self.log.count.saturating_add(1);
        if self.log.count > MAX_MESSAGES {
            if self.log.count == MAX_MESSAGES + 1 {
                tracing::warn!(%tool, "the tool logs too much; the rest of this call is muted");
            }
            return Ok(());
        }
        let end = message.floor_char_boundary(MAX_MESSAGE);
        // The debug form keeps control characters of a guest out of the operator's terminal.
        let message = &message[..end];
        match level {
            Level::Trace => tracing::trace!(target: "toolgate::plugin", %tool, ?message),
            Level::Debug => tracing::debug!(target: "toolgate::plugin", %tool, ?message),
            Level::Info => tracing::info!(target: "toolgate::plugin", %tool, ?message),
            Level::Warn => tracing::warn!(target: "toolgate::plugin", %tool, ?message),
            Level::Error => tracing::error!(target: "toolgate::plugin", %tool, ?message),
        }
        Ok(())
    }
}
