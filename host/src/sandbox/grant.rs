//! The approval of a call, made into capabilities.

use std::sync::Arc;

use super::bindings::exports::toolgate::plugin::tool as wit;
use super::bounds::Bounds;
use super::filesystem::{Budget, CallFiles, Grant};
use super::run::Runner;
use crate::call::{CallError, ErrorKind};
use crate::gate::{Anchor, Approval};
use crate::scope::PathScopeBuilder;

impl Runner {
    /// The approval as capabilities: what exists for this call.
    pub(super) fn files(
        &self,
        tool: &str,
        approval: &Approval,
        bounds: &Bounds,
    ) -> Result<(CallFiles, Vec<wit::GrantedPath>), CallError> {
        let mut outside = Vec::new();
        let mut grants = Vec::new();
        let mut paths = Vec::new();
        for approved in &approval.paths {
            let (root, relative) = match &approved.anchor {
                Anchor::Scope(place) => (place.root, place.relative.clone()),
                Anchor::Outside => {
                    let (root, relative) = self.outside_root(tool, &approved.path)?;
                    outside.push(root);
                    (bounds.scope.roots().len() + outside.len() - 1, relative)
                }
            };
            grants.push(Grant {
                root,
                relative: relative.clone(),
                target: approved.target,
                operations: approved.operations,
            });
            paths.push((root, approved, relative));
        }
        let files = CallFiles {
            tool: tool.into(),
            scope: Arc::clone(&bounds.scope),
            outside: outside.into(),
            grants,
            exclusions: approval.exclusions.clone(),
            options: bounds.options,
            budget: Budget::new(
                bounds.limits.write_bytes,
                u64::from(bounds.limits.creates),
                bounds.limits.file_bytes,
            ),
            own_files: Arc::clone(&bounds.own_files),
            pending: self.pending.clone(),
            hash_key: std::sync::OnceLock::new(),
            displaced: std::sync::OnceLock::new(),
        };
        let paths = paths
            .into_iter()
            .map(|(root, approved, relative)| wit::GrantedPath {
                argument: approved.argument.clone(),
                position: u32::try_from(approved.position).unwrap_or(u32::MAX),
                path: approved.path.clone(),
                preopen: files.root_path(root).to_owned(),
                relative,
                link: approved.link.clone(),
            })
            .collect();
        Ok((files, paths))
    }

    /// What the tool hears of the paths that it does not get.
    pub(super) fn refused(tool: &str, approval: &Approval) -> Vec<wit::RefusedPath> {
        // The host puts it in front of whatever the tool makes of this.
        let prefix = format!("{tool}: ");
        let refused = approval.refused.iter();
        refused
            .map(|refused| wit::RefusedPath {
                argument: refused.argument.clone(),
                position: u32::try_from(refused.position).unwrap_or(u32::MAX),
                path: refused.path.clone(),
                error: wit::Error {
                    kind: match refused.error.kind {
                        ErrorKind::InvalidArguments => wit::ErrorKind::InvalidArguments,
                        ErrorKind::NotFound => wit::ErrorKind::NotFound,
                        ErrorKind::Denied => wit::ErrorKind::Denied,
                        _ => wit::ErrorKind::Failed,
                    },
                    message: match refused.error.message.strip_prefix(&prefix) {
                        Some(message) => message.to_owned(),
                        None => refused.error.message.clone(),
                    },
                },
            })
            .collect()
    }

    /// A root for one approved path outside the scope: the nearest directory
    /// above it that exists, reached through no link.
    fn outside_root(&self, tool: &str, path: &str) -> Result<(crate::scope::Root, String), CallError> {
        let mut top = path
            .rsplit_once('/')
            .map_or("/", |(top, _)| if top.is_empty() { "/" } else { top });
        loop {
            if let Some(root) = PathScopeBuilder::open_root(top) {
                let relative = path[top.len()..].trim_start_matches('/').to_owned();
                return Ok((root, relative));
            }
            top = match top.rsplit_once('/') {
                Some(("", _)) => "/",
                Some((above, _)) => above,
                None => {
                    return Err(CallError::new(
                        ErrorKind::NotFound,
                        format!("{tool}: no directory above {path} can be opened"),
                    ));
                }
            };
        }
    }
}
