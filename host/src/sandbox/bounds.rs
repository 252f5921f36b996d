//! What the calls of a host may reach and use at most, whatever the gate says.

use std::sync::Arc;

use super::filesystem::Options;
use super::network::NetworkBounds;
use crate::config::{Config, Limits};
use crate::scope::PathScope;

/// The bounds of one call. They come with the call, so that it keeps those it
/// began with when the configuration changes.
pub(crate) struct Bounds {
    pub(crate) scope: Arc<PathScope>,
    pub(super) own_files: Arc<[String]>,
    pub(super) limits: Limits,
    pub(super) options: Options,
    pub(crate) network: Arc<NetworkBounds>,
}

impl Bounds {
    pub(crate) fn new(
        config: &Config,
        scope: Arc<PathScope>,
        own_files: Arc<[String]>,
        network: Arc<NetworkBounds>,
    ) -> Self {
        Self {
            scope,
            own_files,
            limits: config.limits,
            options: Options {
                hardlinks: config.path_scope.hardlinks,
                cross_device: config.path_scope.cross_device,
            },
            network,
        }
    }
}
