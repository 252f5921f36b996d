//! Paths: the order of decisions for one declared access.

use super::{Grantable, Judge, Judgement, Question, Wanted};
use crate::catalog::{Operations, Target};
use crate::gate::always::Lasting;
use crate::gate::approval::Anchor;
use crate::gate::decider::Decider;
use crate::gate::grants::{Exact, Wide};
use crate::gate::mode::Mode;
use crate::gate::prompt::PromptKind;
use crate::gate::verdict;
use crate::scope::{Access, Resolved};

/// One path access on its way through the gate.
pub(in crate::gate) struct PathRequest<'a> {
    pub(in crate::gate) tool: &'a str,
    pub(in crate::gate) operations: Operations,
    pub(in crate::gate) target: Target,
    /// Absolute and lexically clean.
    pub(in crate::gate) requested: &'a str,
    pub(in crate::gate) resolved: &'a Resolved,
}

impl PathRequest<'_> {
    pub(in crate::gate) fn path(&self) -> &str {
        &self.resolved.path
    }

    pub(in crate::gate) fn operation(&self) -> &'static str {
        self.operations.as_str()
    }

    pub(in crate::gate) fn writes(&self) -> bool {
        self.operations.changes()
    }

    /// What an answer to a question about a path outside the scope covers.
    fn outside(&self) -> Exact {
        Exact::Outside {
            operation: self.operation(),
            path: self.path().to_owned(),
            reach: self.target.into(),
        }
    }

    /// The directory that a wider answer speaks of: the path itself if it is
    /// looked into, otherwise the one that holds it.
    fn directory(&self) -> &str {
        match self.target {
            Target::File => match self.path().rsplit_once('/') {
                Some(("", _)) | None => "/",
                Some((directory, _)) => directory,
            },
            Target::Tree | Target::Directory | Target::Url | Target::Channel => self.path(),
        }
    }
}

impl Judge<'_> {
    /// Deny rules, deny list, mandatory denies, plan-first, plan mode, scope,
    /// control plane, allow rules and grants, mode: in this order, so that no
    /// grant outranks a prohibition.
    pub(in crate::gate) fn path(&self, request: &PathRequest<'_>, anchor: &Anchor) -> Judgement {
        match anchor {
            Anchor::Scope(_) => self.inside(request),
            Anchor::Outside => self.outside(request),
        }
    }

    /// Whether the scope itself grants it, and where it lies there.
    pub(in crate::gate) fn anchor(&self, request: &PathRequest<'_>) -> Anchor {
        let scope = &self.posture.scope;
        let place = scope.locate(request.path()).filter(|place| {
            let granted = scope.access(place.root, &place.relative);
            if request.writes() { granted.write } else { granted.read }
        });
        place.map_or(Anchor::Outside, Anchor::Scope)
    }

    /// What no mode, rule or grant permits.
    fn prohibited(&self, request: &PathRequest<'_>) -> Option<Judgement> {
        let (tool, path) = (request.tool, request.path());
        let denied = self.denied(tool, path).or_else(|| {
            // The same text nearly always: then it has been asked already.
            (request.requested != path)
                .then(|| self.denied(tool, request.requested))
                .flatten()
        });
        if let Some(refusal) = denied {
            return Some(Judgement::Refuse(refusal));
        }
        if let Some(pattern) = self.posture.scope.denied_anywhere(path) {
            let decider = self.posture.deny_pattern(pattern);
            return Some(Judgement::Refuse(verdict::by_deny_pattern(
                tool, path, pattern, decider,
            )));
        }
        let found = self
            .posture
            .scope
            .mandatory_by_name(path, request.requested, request.writes());
        found.map(|(name, class)| Judgement::Refuse(verdict::by_mandatory(tool, request.operation(), name, class)))
    }

    fn inside(&self, request: &PathRequest<'_>) -> Judgement {
        if let Some(prohibited) = self.prohibited(request) {
            return prohibited;
        }
        if !request.writes() {
            return Judgement::Pass(Decider::fixed("scope.read", "reading in scope"));
        }
        let (tool, path) = (request.tool, request.path());
        if let Some(refusal) = self.plan_first(tool, true) {
            return Judgement::Refuse(refusal);
        }
        let control_plane = self.posture.scope.is_control_plane(path, &self.posture.own_files);
        if self.mode == Mode::Plan {
            return Judgement::Refuse(verdict::in_plan_mode(tool, request.operation(), path, self.by_mode()));
        }
        if control_plane {
            return self.control_plane(request);
        }
        self.change(request)
    }

    fn change(&self, request: &PathRequest<'_>) -> Judgement {
        let (tool, operation, path) = (request.tool, request.operation(), request.path());
        self.permitted(Wanted {
            kind: PromptKind::FileWrite,
            tool,
            operation,
            key: path,
            exact: Exact::Change {
                tool: tool.to_owned(),
                operation,
                path: path.to_owned(),
            },
            whole: tool.to_owned(),
            lasting: Some(Lasting::rule(tool, path)),
        })
    }

    /// A file that grants rights: no mode, rule or grant satisfies it, and
    /// nothing is remembered, so that the next change asks again.
    fn control_plane(&self, request: &PathRequest<'_>) -> Judgement {
        let (tool, path) = (request.tool, request.path());
        let decider = Decider::fixed("control_plane", "a file whose content grants rights");
        Judgement::Ask(Box::new(Question {
            kind: PromptKind::ControlPlaneWrite,
            operation: request.operation(),
            detail: path.to_owned(),
            grantable: Grantable::nothing(),
            nobody: verdict::control_plane(tool, path, decider.clone()),
            decider,
        }))
    }

    fn outside(&self, request: &PathRequest<'_>) -> Judgement {
        if let Some(prohibited) = self.prohibited(request) {
            return prohibited;
        }
        let (tool, operation, path, writes) = (request.tool, request.operation(), request.path(), request.writes());
        if let Some(refusal) = self.plan_first(tool, writes) {
            return Judgement::Refuse(refusal);
        }
        let refused = || {
            let decider = Decider::fixed("scope.outside", "outside every root and entry of path_scope");
            verdict::out_of_scope(request, self.posture.scope.project(), self.mode, decider)
        };
        if self.mode == Mode::Plan {
            return Judgement::Refuse(refused());
        }
        if writes && self.posture.scope.is_control_plane(path, &self.posture.own_files) {
            return match self.mode {
                Mode::Ask | Mode::AcceptEdits => self.control_plane(request),
                Mode::Yolo if self.posture.unscoped => self.control_plane(request),
                Mode::Yolo | Mode::Allow | Mode::Plan => Judgement::Refuse(refused()),
            };
        }
        let exact = request.outside();
        let tree = request.target == Target::Tree;
        let lasting = [&self.gate.own_always, &*self.gate.always];
        if let Some(decider) = lasting.iter().find_map(|always| always.path(path, tree, writes)) {
            return Judgement::Pass(decider);
        }
        match self.mode {
            Mode::Allow | Mode::Plan => return Judgement::Refuse(refused()),
            Mode::Yolo if self.posture.unscoped => return Judgement::Pass(self.unscoped()),
            Mode::AcceptEdits if self.posture.unscoped && writes => return Judgement::Pass(self.unscoped()),
            Mode::Yolo => return Judgement::Refuse(refused()),
            Mode::AcceptEdits if writes => return Judgement::Refuse(refused()),
            Mode::Ask | Mode::AcceptEdits => {}
        }
        if self.gate.grants.exactly(&exact) {
            return Judgement::Pass(Decider::fixed("grant.session", "granted for this session"));
        }
        if self.gate.grants.directory(tool, operation, path) {
            return Judgement::Pass(Decider::fixed(
                "grant.directory",
                "the tool is granted in this directory for this session",
            ));
        }
        if let Some(refusal) = self.refused_before(tool, operation, path, &exact) {
            return Judgement::Refuse(refusal);
        }
        Judgement::Ask(Box::new(Question {
            kind: PromptKind::PathScope,
            operation,
            detail: path.to_owned(),
            grantable: self.outside_grantable(request, exact),
            decider: Decider::fixed("scope.outside", "outside every root and entry of path_scope"),
            nobody: refused(),
        }))
    }

    fn unscoped(&self) -> Decider {
        self.posture
            .key("permissions.unscoped", "permissions.unscoped", "permissions.unscoped")
    }

    fn outside_grantable(&self, request: &PathRequest<'_>, exact: Exact) -> Grantable {
        let directory = request.directory();
        let access = if request.writes() {
            Access::READ_WRITE
        } else {
            Access::READ
        };
        let lasting = |path: &str, subtree| Lasting::Path {
            path: path.to_owned(),
            subtree,
            access,
        };
        let tree = request.target == Target::Tree;
        let narrow = (!self.too_wide(directory)).then(|| directory.to_owned());
        Grantable {
            exact: Some(exact),
            wide: narrow.clone().map(|directory| Wide::Directory {
                tool: request.tool.to_owned(),
                operation: request.operation(),
                directory,
            }),
            verb: None,
            lasting: (!tree || narrow.is_some()).then(|| lasting(request.path(), tree)),
            lasting_directory: narrow.filter(|_| !tree).map(|directory| lasting(&directory, true)),
        }
    }

    /// Whether a grant for everything in a directory would be one for nearly
    /// everything: the file system, the home directory, or what holds one of
    /// these or the project.
    fn too_wide(&self, directory: &str) -> bool {
        let scope = &self.posture.scope;
        let holds = |other: &str| crate::gate::grants::within(directory, other);
        directory == "/" || holds(scope.project()) || scope.home().is_some_and(holds)
    }
}
