//! The order of decisions for one call.

use std::sync::Arc;

use serde_json::Value;

use super::approval::{Anchor, Approval, ApprovedPath, RefusedPath};
use super::grants::Grants;
use super::mode::Mode;
use super::prompt::{Decision, PromptKind, PromptRequest, Prompter};
use super::rules::{Policy, Ruling};
use super::verdict;
use crate::call::{CallError, ErrorKind};
use crate::catalog::{Access, Arguments, Definition, Operations};
use crate::scope::{PathScope, Resolved, Unresolvable, normalise};

/// The gate of one session.
pub struct Gate {
    /// The permission mode.
    pub mode: Mode,
    /// The operator's rules.
    pub policy: Arc<Policy>,
    /// The tenant's paths.
    pub scope: Arc<PathScope>,
    /// Whether `yolo` and `acceptEdits` reach beyond the scope.
    pub unscoped: bool,
    /// Files that the host reads its own configuration from.
    pub own_files: Arc<[String]>,
    /// What the operator granted this session.
    pub grants: Grants,
    /// Who can be asked.
    pub prompter: Option<Arc<dyn Prompter>>,
}

/// One path access on its way through the gate.
struct Request<'a> {
    tool: &'a str,
    operation: &'static str,
    writes: bool,
    requested: &'a str,
    resolved: &'a Resolved,
    arguments: &'a Arguments,
}

impl Gate {
    /// Decides a call with valid arguments: either everything it declares is
    /// approved, or it does not run.
    ///
    /// # Errors
    /// `denied` with the deciding rule and what would change it, or
    /// `invalid_arguments` for a path that cannot name anything.
    pub async fn decide(&self, definition: &Definition, arguments: Arguments) -> Result<Approval, CallError> {
        let tool = definition.name.as_str();
        let mut paths = Vec::new();
        let mut decided_by = String::from("nothing to decide: the call reaches nothing");
        let mut rewritten = arguments.clone();
        let mut refused = Vec::new();
        // A tool that is denied as such does not run, even if it could report each refusal.
        if definition.accesses.iter().any(|access| access.lenient)
            && let Some(rule) = self.policy.denies(tool, "")
        {
            return Err(verdict::by_rule(tool, "", rule.text()));
        }
        for access in &definition.accesses {
            for (slot, given) in path_values(access, &arguments) {
                match self.path(tool, access, &given, &arguments, &mut decided_by).await {
                    Ok(approved) => {
                        slot.set(&mut rewritten, access, &approved.path);
                        paths.push(ApprovedPath {
                            position: slot.position(),
                            ..approved
                        });
                    }
                    Err(error) if access.lenient => refused.push(RefusedPath {
                        argument: access.argument.clone(),
                        position: slot.position(),
                        path: given,
                        error,
                    }),
                    Err(error) => return Err(error),
                }
            }
        }
        if paths.is_empty()
            && refused.is_empty()
            && let Some(rule) = self.policy.denies(tool, "")
        {
            return Err(verdict::by_rule(tool, "", rule.text()));
        }
        Ok(Approval {
            arguments: rewritten,
            paths,
            refused,
            exclusions: self.policy.denies_for(tool),
            decided_by,
        })
    }

    async fn path(
        &self,
        tool: &str,
        access: &Access,
        given: &str,
        arguments: &Arguments,
        decided_by: &mut String,
    ) -> Result<ApprovedPath, CallError> {
        let invalid = |error: crate::scope::PathError| CallError::new(ErrorKind::InvalidArguments, error.to_string());
        let requested = normalise(self.scope.project(), self.scope.home(), given).map_err(invalid)?;
        // Removing a link removes the link, not what it leads to.
        let follow_last = access.operations != Operations::DELETE;
        let resolved = self
            .scope
            .resolve(&requested, follow_last)
            .map_err(|error| self.unresolvable(tool, access, &requested, error))?;
        let request = Request {
            tool,
            operation: access.operations.as_str(),
            writes: access.operations.changes(),
            requested: &requested,
            resolved: &resolved,
            arguments,
        };
        let (anchor, reason) = self.rule_path(&request).await?;
        *decided_by = reason;
        Ok(ApprovedPath {
            argument: access.argument.clone(),
            position: 0,
            path: resolved.path,
            link: resolved.link,
            target: access.target,
            operations: access.operations,
            anchor,
        })
    }

    /// Deny rules, deny list, mandatory denies, control plane, plan mode, scope,
    /// allow rules and grants, mode: in this order, so that no grant outranks a prohibition.
    async fn rule_path(&self, request: &Request<'_>) -> Result<(Anchor, String), CallError> {
        let Request { tool, operation, .. } = *request;
        let path = request.resolved.path.as_str();
        for key in [path, request.requested] {
            if let Some(rule) = self.policy.denies(tool, key) {
                return Err(verdict::by_rule(tool, key, rule.text()));
            }
        }
        if let Some(pattern) = self.scope.denied_anywhere(path) {
            return Err(verdict::by_deny_pattern(tool, path, pattern));
        }
        if let Some((name, class)) = self.scope.mandatory_by_name(path, request.requested, request.writes) {
            return Err(verdict::by_mandatory(tool, operation, name, class));
        }
        let control_plane = request.writes && self.scope.is_control_plane(path, &self.own_files);
        if request.writes && self.mode == Mode::Plan {
            return Err(if control_plane {
                verdict::control_plane(tool, path, self.mode)
            } else {
                verdict::by_mode(tool, operation, path, self.mode)
            });
        }
        let in_scope = self.scope.locate(path).filter(|place| {
            let granted = self.scope.access(place.root, &place.relative);
            if request.writes { granted.write } else { granted.read }
        });
        let Some(place) = in_scope else {
            return self.out_of_scope(request).await.map(|reason| (Anchor::Outside, reason));
        };
        if control_plane {
            let decision = self.ask(request, PromptKind::ControlPlaneWrite).await;
            return match decision {
                None => Err(verdict::control_plane(tool, path, self.mode)),
                Some(Decision::Deny) => Err(verdict::by_user(tool, operation, path, false)),
                // Nothing is remembered: the next change asks again.
                Some(_) => Ok((Anchor::Scope(place), "the operator, for this change only".to_owned())),
            };
        }
        let reason = if request.writes {
            self.write_in_scope(request).await?
        } else {
            "path_scope: reading in scope".to_owned()
        };
        Ok((Anchor::Scope(place), reason))
    }

    async fn write_in_scope(&self, request: &Request<'_>) -> Result<String, CallError> {
        let Request { tool, operation, .. } = *request;
        let path = request.resolved.path.as_str();
        if let Ruling::Allow(rule) = self.policy.rule(tool, path) {
            return Ok(format!("permissions.allow: {}", rule.text()));
        }
        if self.grants.allow(tool, operation, path, true) {
            return Ok("a grant of this session".to_owned());
        }
        match self.mode {
            Mode::Yolo | Mode::AcceptEdits => Ok(format!("mode {}", self.mode)),
            Mode::Allow | Mode::Plan => Err(verdict::by_mode(tool, operation, path, self.mode)),
            Mode::Ask => {
                self.ask_and_remember(request, PromptKind::FileWrite, || {
                    verdict::no_prompter(tool, operation, path)
                })
                .await
            }
        }
    }

    async fn out_of_scope(&self, request: &Request<'_>) -> Result<String, CallError> {
        let Request { tool, operation, .. } = *request;
        let path = request.resolved.path.as_str();
        let refusal = || {
            verdict::out_of_scope(
                tool,
                operation,
                request.requested,
                path,
                self.scope.project(),
                self.mode,
            )
        };
        match self.mode {
            Mode::Allow | Mode::Plan => Err(refusal()),
            Mode::Yolo if self.unscoped => Ok("mode yolo with permissions.unscoped".to_owned()),
            Mode::AcceptEdits if self.unscoped && request.writes => {
                Ok("mode acceptEdits with permissions.unscoped".to_owned())
            }
            Mode::Yolo => Err(refusal()),
            Mode::AcceptEdits if request.writes => Err(refusal()),
            Mode::Ask | Mode::AcceptEdits => {
                if self.grants.allow(tool, operation, path, false) {
                    return Ok("a grant of this session".to_owned());
                }
                self.ask_and_remember(request, PromptKind::PathScope, refusal).await
            }
        }
    }

    async fn ask_and_remember(
        &self,
        request: &Request<'_>,
        kind: PromptKind,
        nobody: impl Fn() -> CallError,
    ) -> Result<String, CallError> {
        let Request { tool, operation, .. } = *request;
        let path = request.resolved.path.as_str();
        if self.grants.refused(tool, operation, path) {
            return Err(verdict::by_user(tool, operation, path, true));
        }
        let Some(decision) = self.ask(request, kind).await else {
            return Err(nobody());
        };
        self.grants.record(tool, operation, path, decision);
        match decision {
            Decision::Deny => Err(verdict::by_user(tool, operation, path, false)),
            Decision::Once => Ok("the operator, once".to_owned()),
            Decision::Session | Decision::Tool => Ok("the operator, for this session".to_owned()),
        }
    }

    async fn ask(&self, request: &Request<'_>, kind: PromptKind) -> Option<Decision> {
        let prompter = self.prompter.as_ref()?;
        let question = PromptRequest {
            kind,
            tool: request.tool.to_owned(),
            operation: request.operation,
            detail: request.resolved.path.clone(),
            arguments: Value::Object(request.arguments.clone()).to_string(),
        };
        Some(prompter.prompt(&question).await)
    }

    /// A path that cannot be resolved is outside every scope. Inside the
    /// lexical scope the reason may be told; elsewhere it would answer
    /// questions about files that do not exist for this tenant.
    fn unresolvable(&self, tool: &str, access: &Access, requested: &str, error: Unresolvable) -> CallError {
        let readable = |path: &str| {
            self.scope.locate(path).is_some_and(|place| {
                self.scope.denied(place.root, &place.relative).is_none()
                    && self.scope.mandatory_at(place.root, &place.relative, false).is_none()
                    && self.scope.access(place.root, &place.relative).read
            })
        };
        // The path may have left the scope through a link before it failed.
        let inside = readable(requested) && error.path().is_none_or(readable);
        if inside && matches!(error, Unresolvable::NotDirectory(_)) {
            return CallError::new(
                ErrorKind::NotFound,
                format!("{tool}: {requested} does not exist: {error}"),
            );
        }
        if inside {
            return CallError::new(
                ErrorKind::Denied,
                format!("{tool}: denied, {requested} is treated as out of scope: {error}"),
            );
        }
        let operation = access.operations.as_str();
        verdict::out_of_scope(tool, operation, requested, requested, self.scope.project(), self.mode)
    }
}

/// Where a path stood in the arguments.
enum Slot {
    Single,
    Element(usize),
}

impl Slot {
    fn position(&self) -> usize {
        match self {
            Self::Single => 0,
            Self::Element(index) => *index,
        }
    }

    fn set(&self, arguments: &mut Arguments, access: &Access, path: &str) {
        let value = Value::String(path.to_owned());
        match self {
            Self::Single => {
                arguments.insert(access.argument.clone(), value);
            }
            Self::Element(index) => {
                if let Some(Value::Array(list)) = arguments.get_mut(&access.argument)
                    && let Some(element) = list.get_mut(*index)
                {
                    *element = value;
                }
            }
        }
    }
}

/// The paths that an argument names; its default when it is absent or empty.
fn path_values(access: &Access, arguments: &Arguments) -> Vec<(Slot, String)> {
    let given = |name: &String| arguments.get(name).is_some_and(|value| *value != Value::Null);
    if !access.when.as_ref().is_none_or(given) {
        return Vec::new();
    }
    match arguments.get(&access.argument) {
        Some(Value::String(path)) if !path.is_empty() || access.default.is_none() => {
            vec![(Slot::Single, path.clone())]
        }
        Some(Value::Array(list)) => list
            .iter()
            .enumerate()
            .filter_map(|(index, item)| Some((Slot::Element(index), item.as_str()?.to_owned())))
            .collect(),
        _ => access.default.iter().map(|path| (Slot::Single, path.clone())).collect(),
    }
}
