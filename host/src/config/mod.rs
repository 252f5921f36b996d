//! Configuration: schema, loading, validation. Anyone may read a `Config`.
//! It is data: nothing here decides whether a call may happen.
//! It must not touch: gate, sandbox, session.

mod load;
mod schema;

pub use load::ConfigError;
pub use schema::{
    AllowPath, CapsConfig, Config, Hardlinks, Limits, PathScopeConfig, Permissions, PlanMode, SessionConfig, StoreKind,
    ToolOutput, ToolsConfig,
};
