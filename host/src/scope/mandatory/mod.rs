//! Mandatory denies: files that run code, grant rights or hold secrets, kept from every tool unless the operator lifts their class.
//! Asked by `PathScope`, and so by both doors; no mode, rule or grant is looked at here.
//! Must not touch: the disk. Names alone decide, so that a file that does not exist yet is kept from being made.

mod class;
mod find;
mod table;

use super::fold::{Case, is_plain};
use super::lexical::below;
use super::path_scope::Root;
pub use class::MandatoryClass;
use find::{Reach, find};

/// Which classes are in force, and what a scope's own places mean for them.
#[derive(Debug, Default)]
pub(super) struct Mandatory {
    lifted: Vec<MandatoryClass>,
    /// The host's own directories, absolute.
    own: Vec<String>,
    /// For each root of the scope.
    roots: Vec<Surroundings>,
}

/// What the path of a root itself says of the names below it.
#[derive(Debug, Default)]
struct Surroundings {
    /// The end of the root's path that rules of several names may begin in; usually empty.
    before: String,
    /// The host's own directories by their path below the root; empty where the root lies in one.
    own: Vec<String>,
}

impl Mandatory {
    pub(super) fn new(lifted: Vec<MandatoryClass>, own: Vec<String>, roots: &[Root]) -> Self {
        let surroundings = roots.iter().map(|root| Surroundings {
            before: table::context(root.path()).to_owned(),
            own: own
                .iter()
                .filter_map(|directory| match below(root.path(), directory) {
                    Some(relative) => Some(relative.to_owned()),
                    None => below(directory, root.path()).map(|_| String::new()),
                })
                .collect(),
        });
        Self {
            roots: surroundings.collect(),
            lifted,
            own,
        }
    }

    /// The class in force that refuses this path, which is below a root, or
    /// absolute without one. `writes` asks for changing instead of reading.
    pub(super) fn class(&self, root: Option<usize>, path: &str, writes: bool, case: Case) -> Option<MandatoryClass> {
        let wanted = |class: MandatoryClass| {
            let lifted = self.lifted.contains(&class);
            if writes {
                !lifted || class == MandatoryClass::Own
            } else {
                !lifted && class.hides()
            }
        };
        if wanted(MandatoryClass::Own) && self.own(root).any(|own| lies_in(own, path, case)) {
            return Some(MandatoryClass::Own);
        }
        let found = |path: &str| find(path, case, |class, reach| reach == Reach::At && wanted(class));
        match self.before(root) {
            "" => found(path),
            before if path.is_empty() => found(before),
            before => found(&format!("{before}/{path}")),
        }
    }

    /// Whether a directory is one that a rule leads through: moving it would
    /// take files their protection, or give files a protected name.
    pub(super) fn holds(&self, root: Option<usize>, path: &str, case: Case) -> bool {
        let in_force = |class: &MandatoryClass| !self.lifted.contains(class) || *class == MandatoryClass::Own;
        if self.own(root).any(|own| !path.is_empty() && lies_in(path, own, case)) {
            return true;
        }
        let found = |path: &str| find(path, case, |class, _| in_force(&class)).is_some();
        match self.before(root) {
            "" => found(path),
            before => found(&format!("{before}/{path}")),
        }
    }

    /// Whether a class in force hides an entry of this directory for the sake of where it is.
    pub(super) fn hides_below(&self, root: Option<usize>, directory: &str) -> bool {
        let hides = |class: MandatoryClass| class.hides() && !self.lifted.contains(&class);
        if hides(MandatoryClass::Own) && self.own(root).any(|own| lies_in(directory, own, Case::Folded)) {
            return true;
        }
        let found = |path: &str| find(path, Case::Folded, |class, _| hides(class)).is_some();
        match self.before(root) {
            "" => found(directory),
            before => found(&format!("{before}/{directory}")),
        }
    }

    fn before(&self, root: Option<usize>) -> &str {
        root.and_then(|root| self.roots.get(root))
            .map_or("", |root| root.before.as_str())
    }

    fn own(&self, root: Option<usize>) -> impl Iterator<Item = &str> {
        let list: &[String] = match root {
            Some(root) => self.roots.get(root).map_or(&[], |root| root.own.as_slice()),
            None => &self.own,
        };
        list.iter().map(String::as_str)
    }
}

/// Whether a rule of a class that `wanted` names speaks of the path, in force or not.
pub(super) fn find_at(path: &str, case: Case, wanted: impl Fn(MandatoryClass) -> bool) -> bool {
    find(path, case, |class, reach| reach == Reach::At && wanted(class)).is_some()
}

/// Whether a class can hide a file of this name, whatever directory it is in.
pub(super) fn may_hide(name: &str) -> bool {
    let name_bytes = name.as_bytes();
    table::begins(name_bytes) || table::ends_like_a_key(name_bytes, true) || !is_plain(name)
}

/// Whether `path` is `top` or below it; everything is below an empty `top`.
fn lies_in(top: &str, path: &str, case: Case) -> bool {
    top.is_empty() || super::fold::below(top, path, case)
}
