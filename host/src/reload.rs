//! Changing the configuration of a running host.

use std::sync::{Arc, PoisonError};

use serde_json::Value;

use crate::builder::BuildError;
use crate::config::{Config, Effective, Origin, Remark};
use crate::host::Host;

/// What only a restart changes: it is about what was loaded or opened at the start.
const AFTER_RESTART: [&str; 6] = [
    "/tools",
    "/session",
    "/audit",
    "/alerts",
    "/limits/concurrency",
    "/permissions/plan_mode",
];

impl Host {
    /// Puts a changed configuration in force: from the next call on its mode, rules, scope and
    /// limits hold, all of them or none. A call that has begun keeps what it began with, and grants
    /// that were given stay. Returns a remark for each changed part that takes a restart.
    ///
    /// # Errors
    /// What [`HostBuilder::build`](crate::HostBuilder::build) would say of the configuration; then nothing changes.
    pub fn reload(&self, effective: Effective) -> Result<Vec<Remark>, BuildError> {
        let inner = &self.inner;
        let mut remarks = after_restart(&inner.builder.config, &effective.config);
        // Whether there is a tool that fetches was decided at the start.
        let could_fetch = !inner.builder.config.url_scope.allow.is_empty();
        if !could_fetch && !effective.config.url_scope.allow.is_empty() {
            remarks.push(restart("url_scope.allow"));
        }
        let elsewhere = effective.root.canonicalize().is_ok_and(|root| root != self.root());
        if elsewhere && !effective.root.as_os_str().is_empty() {
            remarks.push(restart("the project directory"));
        }
        let mut builder = inner.builder.clone().effective(effective);
        // Whether there is a tool that records plans was decided at the start.
        builder.config.permissions.plan_mode = Some(inner.plans.mode());
        // So was where alerts can go.
        let settings = builder.settings(Arc::clone(&inner.runner.tools), inner.alerts.names())?;
        *inner.settings.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
        // Descriptions may speak of the mode.
        *inner.rendered.write().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(remarks)
    }
}

fn after_restart(before: &Config, now: &Config) -> Vec<Remark> {
    let [before, now] = [before, now].map(|config| serde_json::to_value(config).unwrap_or(Value::Null));
    let changed = AFTER_RESTART
        .into_iter()
        .filter(|part| before.pointer(part) != now.pointer(part));
    changed.map(|part| restart(&part[1..].replace('/', "."))).collect()
}

fn restart(part: &str) -> Remark {
    Remark {
        origin: Origin::Default,
        key: part.to_owned(),
        text: "it has changed; that counts after a restart".to_owned(),
    }
}
