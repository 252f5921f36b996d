//! Whether a value is a configuration: its shape by the published schema, then what no schema can say.
//! Called by `layer` for each file and by `Config::validate` for what embedders build. Every finding at once.
//! Must not touch: files, layers, trust.

mod alerts;
mod complaint;
mod network;
mod permissions;
mod shape;
mod tools;
mod words;

use super::schema::Config;
pub(super) use complaint::{Complaint, Severity};
pub(super) use shape::shape;

/// Checks what types and the schema cannot say.
pub(super) fn semantics(config: &Config) -> Vec<Complaint> {
    let mut found = Vec::new();
    permissions::check(config, &mut found);
    network::check(config, &mut found);
    tools::check(config, &mut found);
    alerts::check(&config.alerts, &mut found);
    found
}
