//! Configuration: schema, files and flags in layers, validation, trust, and where each value came from.
//! Anyone may read a `Config`; the command line and embedders load one through `Config::load` or `Layers::discover`.
//! It is data: nothing here decides whether a call may happen. It must not touch: sandbox, session, catalog.

mod check;
mod clean;
mod discover;
mod document;
mod duration;
mod effective;
mod file;
mod flags;
mod key_path;
mod keys;
mod layer;
mod layers;
mod load;
mod manifest;
mod merge;
mod narrow;
mod origin;
mod problem;
mod rate;
mod redact;
mod report;
mod review;
mod schema;
mod trust;
mod watch;
mod writer;

pub use discover::{AGENTS, PROJECT_FILES, agents_directory};
pub use duration::parse_duration;
pub use effective::{Effective, LoadedFile, Role};
pub use file::{Digest, MAX_FILE_BYTES};
pub use flags::{Flags, parse_allow_path};
pub use keys::DOCUMENTED_TOOLS;
pub use layers::{DiscoverOptions, Layers};
pub use load::ConfigError;
pub use origin::{Origin, Origins};
pub use problem::{ConfigErrors, Problem, Remark};
pub use rate::Rate;
pub use report::{Row, configuration, json, rows, text};
pub use review::review;
pub(crate) use schema::OF_CONNECTION;
pub use schema::{
    AgentConfig, AlertAuth, AlertTarget, AlertTemplate, AlertsConfig, AllowBundle, AllowPath, AuditConfig, AuditSync,
    CallPeerConfig, CapsConfig, Config, Hardlinks, Hook, HooksConfig, Limits, OnFailure, ParentPosture,
    PathScopeConfig, Permissions, PlanMode, Safety, SearchGate, SessionConfig, SpawnAgentConfig, StoreKind,
    SubagentBudgets, SubagentConfig, TaskClass, ToolOutput, ToolsConfig, Toolset, UrlScopeConfig, WaitConfig, Watchdog,
    schema,
};
pub use trust::{TrustEntry, TrustError, TrustStore};
pub use watch::{Current, Poll, Watcher};
pub use writer::{WriteError, Writer, Written};
