//! What lives here: tools written like honest ones that take what they can get, and end badly.
//! What may call it: the host, in tests of the sandbox.
//! What it must not touch: anything that an honest plugin could not reach through the SDK.

mod endings;
mod greed;
mod honest;

/// What most tools here return.
#[derive(serde::Serialize, schemars::JsonSchema)]
pub(crate) struct Taken {
    /// How much of it was had, in units of the tool.
    pub(crate) taken: u64,
}

/// Arguments of tools that need none.
#[derive(serde::Deserialize, schemars::JsonSchema)]
pub(crate) struct Nothing {}

toolgate_plugin::export!(
    greed::Spin,
    greed::HogMemory,
    greed::LogFlood,
    greed::Resources,
    endings::Trap,
    endings::Panic,
    endings::HoldThenTrap,
    honest::Echo,
    honest::Count,
);
