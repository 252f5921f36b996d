//! The data of one call's store: nothing in it outlives the call.

use wasmtime::component::{HasSelf, Linker, ResourceTable};

use super::filesystem::CallFiles;
use super::limits::Limiter;
use super::log::LogState;

pub(super) struct CallState {
    pub(super) table: ResourceTable,
    pub(super) wasi: Option<Box<super::wasi::Runtime>>,
    pub(super) limiter: Limiter,
    pub(super) files: CallFiles,
    pub(super) log: LogState,
}

impl CallState {
    pub(super) fn new(files: CallFiles, memory: u64, handles: usize) -> Self {
        let mut table = ResourceTable::new();
        table.set_max_capacity(handles);
        Self {
            table,
            wasi: None,
            limiter: Limiter::new(memory),
            files,
            log: LogState::default(),
        }
    }
}

/// Everything a component can be granted. What is not here cannot be linked.
pub(super) fn link(linker: &mut Linker<CallState>) -> wasmtime::Result<()> {
    super::wasi::link(linker)?;
    use super::bindings::toolgate::plugin as own;
    use super::bindings::wasi::filesystem;
    filesystem::types::add_to_linker::<_, HasSelf<CallState>>(linker, |state| state)?;
    filesystem::preopens::add_to_linker::<_, HasSelf<CallState>>(linker, |state| state)?;
    own::files::add_to_linker::<_, HasSelf<CallState>>(linker, |state| state)?;
    own::log::add_to_linker::<_, HasSelf<CallState>>(linker, |state| state)?;
    Ok(())
}

/// A plugin that is linked and ready to be instantiated.
pub(super) type Ready = super::bindings::SdkPre<CallState>;
