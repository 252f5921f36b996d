//! What one call may reach: the tenant's scope, cut down to the approval.

use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::open::Parent;
use crate::catalog::{Operations, Target};
use crate::config::Hardlinks;
use crate::gate::Rule;
use crate::sandbox::bindings::wasi::filesystem::types::ErrorCode;
use crate::scope::{MandatoryClass, PathScope, Root};

/// What an operation needs of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sandbox) enum Need {
    /// Metadata, link text.
    Stat,
    /// Content.
    Read,
    /// The names in a directory.
    List,
    /// Changing what exists.
    Write,
    /// Making what does not exist.
    Create,
    /// Removing, or renaming away.
    Delete,
}

/// One approved path.
#[derive(Debug, Clone)]
pub(in crate::sandbox) struct Grant {
    pub(in crate::sandbox) root: usize,
    pub(in crate::sandbox) relative: String,
    pub(in crate::sandbox) target: Target,
    pub(in crate::sandbox) operations: Operations,
}

impl Grant {
    /// Whether the grant speaks of this path at all.
    fn covers(&self, root: usize, relative: &str, need: Need) -> bool {
        if self.root != root {
            return false;
        }
        let Some(rest) = relative.strip_prefix(&*self.relative) else {
            return false;
        };
        let below = rest.is_empty() || self.relative.is_empty() || rest.starts_with('/');
        match self.target {
            Target::Tree => below,
            Target::File => rest.is_empty(),
            // No path at all.
            Target::Url | Target::Channel => false,
            // A listing shows the metadata of its entries, not their content.
            Target::Directory => {
                rest.is_empty() || (below && need == Need::Stat && !rest.trim_start_matches('/').contains('/'))
            }
        }
    }

    fn permits(&self, need: Need) -> bool {
        let operations = self.operations;
        match need {
            // Whoever may change a file may see whether it is there.
            Need::Stat => operations.read || operations.changes(),
            Need::Read | Need::List => operations.read,
            Need::Write => operations.write,
            Need::Create => operations.create,
            Need::Delete => operations.delete,
        }
    }
}

/// Scope settings that are the same for all calls.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Options {
    pub(in crate::sandbox) hardlinks: Hardlinks,
    pub(in crate::sandbox) cross_device: bool,
}

/// What is left of the call's write budget; shared with its streams.
#[derive(Debug)]
pub(in crate::sandbox) struct Budget {
    bytes: AtomicU64,
    creates: AtomicU64,
    /// Greatest length of a file.
    pub(in crate::sandbox) file_bytes: u64,
}

impl Budget {
    pub(in crate::sandbox) fn new(bytes: u64, creates: u64, file_bytes: u64) -> Arc<Self> {
        Arc::new(Self {
            bytes: bytes.into(),
            creates: creates.into(),
            file_bytes,
        })
    }

    /// Takes `count` bytes that end at `end` in a file, or refuses.
    pub(in crate::sandbox) fn take_bytes(&self, count: u64, end: u64) -> Result<(), ErrorCode> {
        if end > self.file_bytes {
            return Err(ErrorCode::FileTooLarge);
        }
        take(&self.bytes, count)
    }

    pub(in crate::sandbox) fn take_create(&self) -> Result<(), ErrorCode> {
        take(&self.creates, 1)
    }
}

fn take(left: &AtomicU64, count: u64) -> Result<(), ErrorCode> {
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(count))
        .map(drop)
        .map_err(|_| ErrorCode::Quota)
}

/// The file system of one call.
#[derive(Debug, Clone)]
pub(in crate::sandbox) struct CallFiles {
    pub(in crate::sandbox) tool: Arc<str>,
    pub(in crate::sandbox) scope: Arc<PathScope>,
    /// Roots outside the scope that the operator approved for this call;
    /// numbered after those of the scope.
    pub(in crate::sandbox) outside: Arc<[Root]>,
    pub(in crate::sandbox) grants: Vec<Grant>,
    pub(in crate::sandbox) exclusions: Vec<Arc<Rule>>,
    pub(in crate::sandbox) options: Options,
    pub(in crate::sandbox) budget: Arc<Budget>,
    /// Files that the host reads its own configuration from.
    pub(in crate::sandbox) own_files: Arc<[String]>,
    /// Where names of unfinished replacements are noted, if anywhere.
    pub(in crate::sandbox) pending: Option<Arc<std::path::Path>>,
    /// Key of metadata hashes: they say nothing beyond this call.
    pub(in crate::sandbox) hash_key: std::sync::OnceLock<[u8; 32]>,
    /// Whether a denied directory had been moved away when this was first asked.
    pub(in crate::sandbox) displaced: std::sync::OnceLock<bool>,
}

impl CallFiles {
    /// The descriptor of a root.
    pub(in crate::sandbox) fn root(&self, root: usize) -> BorrowedFd<'_> {
        match self.scope.roots().get(root) {
            Some(root) => root.as_fd(),
            None => self.outside[root - self.scope.roots().len()].as_fd(),
        }
    }

    /// The absolute path of a root.
    pub(in crate::sandbox) fn root_path(&self, root: usize) -> &str {
        match self.scope.roots().get(root) {
            Some(root) => root.path(),
            None => self.outside[root - self.scope.roots().len()].path(),
        }
    }

    /// The roots that this call reaches, each once.
    pub(in crate::sandbox) fn preopens(&self) -> Vec<usize> {
        let mut roots: Vec<usize> = self.grants.iter().map(|grant| grant.root).collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// Whether the entries of a directory have the same answer as the
    /// directory itself, but for names that [`PathScope::may_hide`] tells.
    pub(in crate::sandbox) fn is_uniform(&self, root: usize, directory: &str) -> bool {
        self.exclusions.is_empty()
            && self.scope.deny().is_empty()
            && match self.scope.roots().get(root) {
                Some(_) => !self.scope.may_hide_in(Some(root), directory),
                None => !self.scope.may_hide_in(None, &self.absolute(root, directory)),
            }
    }

    /// Holds a path to the deny list, the rules, the approval and the scope.
    /// What is denied looks absent; only making it says that it is not allowed.
    pub(in crate::sandbox) fn check(&self, root: usize, relative: &str, need: Need) -> Result<(), ErrorCode> {
        let hidden = if need == Need::Create {
            ErrorCode::Access
        } else {
            ErrorCode::NoEntry
        };
        if self.is_denied(root, relative) {
            return Err(hidden);
        }
        let changes = matches!(need, Need::Write | Need::Create | Need::Delete);
        // A file that grants rights is only ever changed by the approval of exactly that file.
        let guarded = changes
            && self
                .scope
                .is_control_plane(&self.absolute(root, relative), &self.own_files);
        let mut covered = false;
        let mut permitted = false;
        for grant in &self.grants {
            if grant.covers(root, relative, need) {
                covered = true;
                permitted |= grant.permits(need) && (!guarded || grant.target == Target::File);
            }
        }
        if !covered {
            return Err(hidden);
        }
        if changes && self.is_kept(root, relative) {
            return Err(ErrorCode::Access);
        }
        let access = match self.scope.roots().get(root) {
            Some(_) => self.scope.access(root, relative),
            None => crate::scope::Access::READ_WRITE,
        };
        match need {
            // What only writing would show is not shown where writing is refused.
            Need::Stat if permitted && (access.read || (access.write && !self.is_kept(root, relative))) => Ok(()),
            Need::Read | Need::List if permitted && access.read => Ok(()),
            Need::Stat | Need::Read | Need::List => Err(ErrorCode::Access),
            _ if permitted && access.write => Ok(()),
            _ => Err(ErrorCode::ReadOnly),
        }
    }

    /// Whether a class of mandatory denies keeps this path from being changed.
    pub(in crate::sandbox) fn is_kept(&self, root: usize, relative: &str) -> bool {
        self.mandatory(root, relative, true).is_some()
    }

    fn mandatory(&self, root: usize, relative: &str, writes: bool) -> Option<MandatoryClass> {
        if root < self.scope.roots().len() {
            self.scope.mandatory_at(root, relative, writes)
        } else {
            self.scope.mandatory(&self.absolute(root, relative), writes)
        }
    }

    /// Whether an object, found under this path, was denied by its place when
    /// the host started: it stays so wherever others have moved it.
    pub(in crate::sandbox) fn is_pinned(&self, root: usize, relative: &str, stat: &rustix::fs::Stat) -> bool {
        let pins = self.scope.pins();
        !pins.is_empty() && (pins.hold(stat) || self.is_below_pin(root, relative))
    }

    /// Whether a path leads through a directory that was denied by its place, under another name by now.
    pub(in crate::sandbox) fn is_below_pin(&self, root: usize, relative: &str) -> bool {
        let pins = self.scope.pins();
        !pins.is_empty()
            && *self.displaced.get_or_init(|| pins.displaced())
            && pins.on_the_way(self.root(root), relative)
    }

    /// Hands the metadata of an object on, unless that is pinned.
    pub(super) fn unpinned(
        &self,
        root: usize,
        relative: &str,
        stat: rustix::fs::Stat,
    ) -> Result<rustix::fs::Stat, ErrorCode> {
        if self.is_pinned(root, relative, &stat) {
            return Err(ErrorCode::NoEntry);
        }
        Ok(stat)
    }

    /// The same for what stands under a name that is held; `code` is what it fails with.
    pub(in crate::sandbox) fn check_pins(
        &self,
        parent: &Parent,
        stat: &rustix::fs::Stat,
        code: ErrorCode,
    ) -> Result<(), ErrorCode> {
        if self.is_pinned(parent.root, &parent.relative, stat) {
            return Err(code);
        }
        Ok(())
    }

    /// Whether the deny list, a class of mandatory denies or a deny rule hides this path.
    pub(in crate::sandbox) fn is_denied(&self, root: usize, relative: &str) -> bool {
        if !self.scope.deny().is_empty() {
            let denied = if root < self.scope.roots().len() {
                self.scope.denied(root, relative)
            } else {
                self.scope.denied_anywhere(&self.absolute(root, relative))
            };
            if denied.is_some() {
                return true;
            }
        }
        if self.mandatory(root, relative, false).is_some() {
            return true;
        }
        if self.exclusions.is_empty() {
            return false;
        }
        let absolute = self.absolute(root, relative);
        self.exclusions.iter().any(|rule| rule.matches(&self.tool, &absolute))
    }

    /// The absolute path, for messages and rules.
    pub(in crate::sandbox) fn absolute(&self, root: usize, relative: &str) -> String {
        let top = self.root_path(root);
        match (top, relative) {
            (top, "") => top.to_owned(),
            ("/", relative) => format!("/{relative}"),
            (top, relative) => format!("{top}/{relative}"),
        }
    }

    /// A file may be missing its parents only if the call may create it.
    pub(in crate::sandbox) fn may_make_parent(&self, root: usize, relative: &str) -> bool {
        !self.is_denied(root, relative)
            && !self.is_kept(root, relative)
            && self.grants.iter().any(|grant| {
                grant.root == root
                    && grant.operations.create
                    && (grant
                        .relative
                        .strip_prefix(relative)
                        .is_some_and(|rest| rest.starts_with('/'))
                        || grant.covers(root, relative, Need::Create))
            })
    }
}
