//! The part of the configuration that a running host can change: one value, replaced as a whole.
//! Made by the builder; read by the session once for each call, so that no call sees half of a change.
//! Must not touch: components, stores, and what else lives as long as the host.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::config::Config;
use crate::gate::{Mode, Origins, Policy, Posture, RuleError};
use crate::output::CapsTable;
use crate::sandbox::Bounds;
use crate::scope::PathScope;

/// What calls are held to.
pub(crate) struct Settings {
    /// For the gate.
    pub(crate) posture: Posture,
    /// For the sandbox.
    pub(crate) bounds: Arc<Bounds>,
    /// For the output.
    pub(crate) caps: CapsTable,
}

impl Settings {
    pub(crate) fn new(
        config: &Config,
        mode: Mode,
        scope: Arc<PathScope>,
        own_files: Arc<[String]>,
        tools: Arc<BTreeSet<String>>,
        origins: Origins,
    ) -> Result<Self, RuleError> {
        let permissions = &config.permissions;
        let policy = Policy::parse(&permissions.allow, &permissions.deny, scope.project())?;
        let policy = policy.located(|id| origins.of(id));
        let posture = Posture {
            mode,
            policy,
            scope: Arc::clone(&scope),
            unscoped: permissions.unscoped,
            own_files: Arc::clone(&own_files),
            plan_required: false,
            search_gate: true,
            prompt_timeout: None::<Duration>,
            tools,
            origins,
        };
        Ok(Self {
            posture,
            bounds: Arc::new(Bounds::new(config, scope, own_files)),
            caps: CapsTable::new(config.tool_output.clone()),
        })
    }
}
