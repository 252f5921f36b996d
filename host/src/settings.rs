//! The part of the configuration that a running host can change: one value, replaced as a whole.
//! Made by the builder; read by the session once for each call, so that no call sees half of a change.
//! Must not touch: components, stores, and what else lives as long as the host.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::config::{Config, PlanMode, SearchGate};
use crate::gate::shell::DEFAULT_BUNDLE;
use crate::gate::{Mode, Origins, Policy, Posture, RuleError};
use crate::output::CapsTable;
use crate::sandbox::{Bounds, NetworkBounds};
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

/// What a configuration names, found and opened.
pub(crate) struct Opened {
    pub(crate) scope: Arc<PathScope>,
    pub(crate) own_files: Arc<[String]>,
    pub(crate) tools: Arc<BTreeSet<String>>,
    pub(crate) origins: Origins,
    pub(crate) network: Arc<NetworkBounds>,
    pub(crate) channels: Arc<[String]>,
}

impl Settings {
    pub(crate) fn new(config: &Config, mode: Mode, opened: Opened) -> Result<Self, RuleError> {
        let Opened {
            scope,
            own_files,
            tools,
            origins,
            network,
            channels,
        } = opened;
        let permissions = &config.permissions;
        let policy = Policy::parse(&permissions.allow, &permissions.deny, scope.project())?;
        let mut policy = policy.located(|id| origins.of(id));
        if permissions.use_builtin_allow.unwrap_or(true) {
            let extras = permissions.builtin_allow_extras.iter().map(|bundle| bundle.name());
            for bundle in std::iter::once(DEFAULT_BUNDLE).chain(extras) {
                policy = policy.with_bundle(bundle)?;
            }
        }
        let posture = Posture {
            mode,
            policy,
            scope: Arc::clone(&scope),
            urls: Arc::clone(&network.scope),
            channels,
            networks: Arc::new(network.plugins().map(str::to_owned).collect()),
            unscoped: permissions.unscoped,
            own_files: Arc::clone(&own_files),
            plan_required: permissions.plan_mode() == PlanMode::Required,
            search_gate: config.safety.bash_search_gate == SearchGate::Enforce,
            prompt_timeout: permissions
                .prompt_timeout_seconds
                .map(|seconds| Duration::from_secs(u64::from(seconds))),
            tools,
            origins,
        };
        Ok(Self {
            posture,
            bounds: Arc::new(Bounds::new(config, scope, own_files, network)),
            caps: CapsTable::new(config.tool_output.clone(), config.url_scope.body_limit()),
        })
    }
}
