//! The data of one call's store: nothing in it outlives the call.

use std::collections::BTreeSet;
use std::sync::Arc;

use wasmtime::component::{HasSelf, Linker, ResourceTable};

use super::filesystem::CallFiles;
use super::limits::Limiter;
use super::log::LogState;
use super::network::{CallChannels, CallUrls, HttpState};
use super::session::SessionView;
use super::usage::Usage;
use super::walks::Parts;
use crate::session::plans::SessionPlans;

pub(super) struct CallState {
    pub(super) table: ResourceTable,
    pub(super) wasi: Option<Box<super::wasi::Runtime>>,
    pub(super) http: Option<Box<HttpState>>,
    pub(super) limiter: Limiter,
    pub(super) files: CallFiles,
    pub(super) log: LogState,
    pub(super) around: Surroundings,
}

/// What a call can ask about beside its own files.
#[derive(Clone, Default)]
pub(super) struct Surroundings {
    /// The names of all registered tools; absent while there is no catalog.
    pub(super) tools: Option<Arc<BTreeSet<String>>>,
    /// What the session keeps.
    pub(super) session: Option<SessionView>,
    /// The plans of the session, for the tool that records them.
    pub(super) plans: Option<Arc<SessionPlans>>,
    /// What the call may request.
    pub(super) urls: Option<CallUrls>,
    /// Where the call may send messages.
    pub(super) channels: Option<CallChannels>,
    /// The parts of a walk, shared with other instances of the same call.
    pub(super) walk: Arc<Parts>,
    /// Where the call's instances count what they use.
    pub(super) usage: Arc<Usage>,
}

impl CallState {
    pub(super) fn new(files: CallFiles, memory: u64, handles: usize, around: Surroundings) -> Self {
        let mut table = ResourceTable::new();
        table.set_max_capacity(handles);
        Self {
            table,
            wasi: None,
            http: None,
            limiter: Limiter::new(memory, Arc::clone(&around.usage)),
            files,
            log: LogState::default(),
            around,
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
    own::walks::add_to_linker::<_, HasSelf<CallState>>(linker, |state| state)?;
    own::catalog::add_to_linker::<_, HasSelf<CallState>>(linker, |state| state)?;
    own::state::add_to_linker::<_, HasSelf<CallState>>(linker, |state| state)?;
    own::payloads::add_to_linker::<_, HasSelf<CallState>>(linker, |state| state)?;
    own::fetch::add_to_linker::<_, HasSelf<CallState>>(linker, |state| state)?;
    own::channels::add_to_linker::<_, HasSelf<CallState>>(linker, |state| state)?;
    super::network::link_http(linker)?;
    own::plans::add_to_linker::<_, HasSelf<CallState>>(linker, |state| state)?;
    Ok(())
}

/// A plugin that is linked and ready to be instantiated.
pub(super) type Ready = super::bindings::SdkPre<CallState>;
