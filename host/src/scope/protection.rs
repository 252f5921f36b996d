//! What a scope protects beside its deny list: classes of mandatory denies, and what moving a directory would undo.

use super::mandatory::{self, MandatoryClass};
use super::path_scope::PathScope;
use super::pins::Pins;

impl PathScope {
    /// Whether moving the directory of this absolute path, or another one to
    /// its place, could change what is denied, protected or in need of an
    /// approval below it. `own` are the files that the host is configured by.
    pub fn moves_rights(&self, directory: &str, own: &[String]) -> bool {
        let (root, relative) = match self.find(directory) {
            Some((root, relative)) => (Some(root), relative),
            None => (None, directory),
        };
        let top = |case| root.map_or("/", |root| self.roots[root].spelling(case));
        self.holds_control_plane(directory, own)
            || self
                .spelled(root, relative, |path, case| {
                    let moves = self.mandatory.holds(root, path, case)
                        || self.deny.may_deny_below(top(case), path.trim_start_matches('/'), case);
                    moves.then_some(())
                })
                .is_some()
    }

    /// The class of mandatory denies that refuses a place, if any: for
    /// changing it if `writes`, else for reading it.
    pub fn mandatory_at(&self, root: usize, relative: &str, writes: bool) -> Option<MandatoryClass> {
        self.spelled(Some(root), relative, |relative, case| {
            self.mandatory.class(Some(root), relative, writes, case)
        })
    }

    /// The same for an absolute, resolved path, in scope or not.
    pub fn mandatory(&self, path: &str, writes: bool) -> Option<MandatoryClass> {
        match self.find(path) {
            Some((root, relative)) => self.mandatory_at(root, relative, writes),
            None => self.spelled(None, path, |path, case| self.mandatory.class(None, path, writes, case)),
        }
    }

    /// The class that refuses a path by either of its names, and that name:
    /// the place without links, or the name as asked for, if that is one in scope.
    pub fn mandatory_by_name<'a>(
        &self,
        resolved: &'a str,
        asked: &'a str,
        writes: bool,
    ) -> Option<(&'a str, MandatoryClass)> {
        let asked = Some(asked).filter(|asked| *asked != resolved && self.find(asked).is_some());
        [Some(resolved), asked]
            .into_iter()
            .flatten()
            .find_map(|name| self.mandatory(name, writes).map(|class| (name, class)))
    }

    /// Whether moving or touching the directory of this absolute path concerns
    /// files of a class of mandatory denies.
    pub(crate) fn holds_mandatory(&self, directory: &str) -> bool {
        let holds = |root, path: &str, case| self.mandatory.holds(root, path, case).then_some(());
        let found = match self.find(directory) {
            Some((root, relative)) => self.spelled(Some(root), relative, |path, case| holds(Some(root), path, case)),
            None => self.spelled(None, directory, |path, case| holds(None, path, case)),
        };
        found.is_some()
    }

    /// Whether entries of this directory can be hidden for the sake of where
    /// they are, so that each has to be asked about. `None` stands for no root.
    pub(crate) fn may_hide_in(&self, root: Option<usize>, directory: &str) -> bool {
        self.mandatory.hides_below(root, directory)
    }

    /// Whether an entry of this name can be hidden wherever it is.
    pub(crate) fn may_hide(name: &str) -> bool {
        mandatory::may_hide(name)
    }

    /// Objects that literal deny patterns named when the host started.
    pub(crate) fn pins(&self) -> &Pins {
        &self.pins
    }

    /// Whether nothing may be known of a place: it is denied, or of a class
    /// that is not read.
    pub(super) fn hides(&self, root: usize, relative: &str) -> bool {
        self.denied(root, relative).is_some() || self.mandatory_at(root, relative, false).is_some()
    }
}
