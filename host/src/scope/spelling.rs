//! One question about a path, asked in every spelling that the disk takes for it.

use std::os::fd::AsFd;

use rustix::fs::{Mode, OFlags};

use super::access::Access;
use super::disk;
use super::fold::{Case, folded, is_plain};
use super::path_scope::{PathScope, join};

impl PathScope {
    /// The answer for a path below a root, or for an absolute one without a
    /// root. `ask` must say yes to a folded spelling whenever it says yes to
    /// the exact one. As long as it says no to both, the disk is not asked.
    pub(super) fn spelled<T>(
        &self,
        root: Option<usize>,
        path: &str,
        ask: impl Fn(&str, Case) -> Option<T>,
    ) -> Option<T> {
        if is_plain(path) {
            // Nothing is asked twice on the usual way, where the answer is no.
            let other = ask(path, Case::Folded)?;
            return ask(path, Case::Exact).or_else(|| self.folds(root, path).then_some(other));
        }
        if let Some(answer) = ask(path, Case::Exact) {
            return Some(answer);
        }
        if let Some(listed) = self.listed(root, path)
            && let Some(answer) = ask(&folded(&listed), Case::Folded)
        {
            return Some(answer);
        }
        let other = ask(&folded(path), Case::Folded)?;
        self.folds(root, path).then_some(other)
    }

    /// A question about an absolute path, in every spelling of it.
    pub(super) fn spelled_anywhere<T>(&self, path: &str, ask: impl Fn(&str, Case) -> Option<T>) -> Option<T> {
        match self.find(path) {
            Some((root, relative)) => self.spelled(Some(root), relative, |relative, case| {
                ask(&join(self.roots[root].spelling(case), relative), case)
            }),
            None => self.spelled(None, path, ask),
        }
    }

    /// What the entries grant, with those that fit another spelling where the
    /// disk takes it for the same.
    pub(super) fn spelled_access(&self, root: usize, path: &str, of: impl Fn(&str, Case) -> Access) -> Access {
        let exact = of(path, Case::Exact);
        let other = if is_plain(path) {
            of(path, Case::Folded)
        } else {
            of(&folded(path), Case::Folded)
        };
        if exact == other || !self.folds(Some(root), path) {
            exact
        } else {
            other
        }
    }

    fn folds(&self, root: Option<usize>, path: &str) -> bool {
        self.on_disk(root, path, disk::folds).unwrap_or(false)
    }

    fn listed(&self, root: Option<usize>, path: &str) -> Option<String> {
        self.on_disk(root, path, disk::listed)?
    }

    fn on_disk<T>(
        &self,
        root: Option<usize>,
        path: &str,
        look: impl Fn(std::os::fd::BorrowedFd<'_>, &str) -> T,
    ) -> Option<T> {
        if let Some(root) = root.and_then(|root| self.roots.get(root)) {
            return Some(look(root.as_fd(), path));
        }
        let top = rustix::fs::open("/", OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).ok()?;
        Some(look(top.as_fd(), path.trim_start_matches('/')))
    }
}
