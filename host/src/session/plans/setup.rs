//! Whether a host has plans, and which of its tools wait for one.

use std::path::Path;

use super::recorder::Plans;
use super::store::PlanStore;
use crate::catalog::{Catalog, Origin};
use crate::config::PlanMode;
use crate::gate::plan_gated;

const TOOL: &str = "record_plan";

impl Plans {
    /// The plans of a host with these tools, of which `record_plan` is left out where it could not
    /// write anything. The agents directory is the one that is given, or `.agents` in the root if
    /// that is a directory and no link to one. What is configured and cannot work is logged.
    ///
    /// # Errors
    /// The directory that was given cannot be used.
    pub(crate) fn set_up(
        mode: PlanMode,
        agents: Option<&Path>,
        root: &Path,
        catalog: &mut Catalog,
    ) -> Result<Self, String> {
        let store = match agents {
            _ if mode == PlanMode::Off => None,
            Some(agents) => Some(PlanStore::open(agents)?),
            None => {
                let own = root.join(".agents");
                let there = own.symlink_metadata().is_ok_and(|found| found.is_dir());
                there.then(|| PlanStore::open(&own)).transpose()?
            }
        };
        if store.is_none() && mode != PlanMode::Off {
            useless(mode, "there is no agents directory (.agents in the root)");
        } else if mode != PlanMode::Off && !catalog.has(TOOL) {
            useless(mode, "record_plan is disabled (tools.disable)");
        }
        if store.is_none() {
            catalog.leave_out(TOOL);
        }
        let waits = |name: &&str| match catalog.get(name) {
            Ok((_, Some(tool))) => {
                let builtin = matches!(tool.origin, Origin::Builtin);
                plan_gated(name, builtin, tool.definition.class.read_only)
            }
            // What is not loaded yet is built in.
            _ => plan_gated(name, true, false),
        };
        let gated = catalog.names().filter(waits).map(str::to_owned).collect();
        Ok(Self::new(mode, store, Some(gated)))
    }
}

fn useless(mode: PlanMode, reason: &str) {
    let consequence = match mode {
        PlanMode::Required => "no plan can be recorded, so every call that waits for one is denied",
        PlanMode::Advisory | PlanMode::Off => "no plan will be written",
    };
    tracing::warn!(
        "permissions.plan_mode is {}, but {reason}: {consequence}",
        mode.as_str()
    );
}
