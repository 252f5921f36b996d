//! The decision over one call: everything that it declares, in the order of its definition.

use serde_json::Value;

use super::approval::{Approval, ApprovedChannel, ApprovedPath, ApprovedUrl, RefusedPath};
use super::ask::{Asker, Settled};
use super::decider::Decider;
use super::gate::Gate;
use super::judge::{Judge, PathRequest};
use super::posture::Posture;
use super::prompt::Approver;
use super::verdict;
use crate::call::{CallError, ErrorKind};
use crate::catalog::{Access, Arguments, Definition, Operations, Target};
use crate::scope::web::WebUrl;
use crate::scope::{Resolved, Unresolvable, normalise};

/// What a tool presents that may send requests of its own, wherever they go in its scope.
pub(super) const NETWORK: &str = "network";

/// What is known of a call's decision so far.
struct Trail {
    decider: Decider,
    approver: Option<Approver>,
    asked: bool,
}

impl Trail {
    /// Of several decisions the one that says most: somebody's answer, then a
    /// rule, then what every call may do.
    fn note(&mut self, settled: Settled) {
        if settled.approver.is_some() {
            self.approver = settled.approver;
        }
        if settled.asked || !self.asked {
            self.decider = settled.decider;
        }
        self.asked |= settled.asked;
    }
}

impl Gate {
    /// Decides a call with valid arguments: either everything it declares is
    /// approved, or it does not run. `source` is the subagent that calls.
    ///
    /// # Errors
    /// `denied` with the deciding rule and what would change it, or
    /// `invalid_arguments` for a path that cannot name anything.
    pub(crate) async fn decide(
        &self,
        posture: &Posture,
        definition: &Definition,
        arguments: &Arguments,
        source: Option<&str>,
    ) -> Result<Approval, CallError> {
        let tool = definition.name.as_str();
        let mut paths = Vec::new();
        let mut trail = Trail {
            decider: Decider::fixed("reach.nothing", "the call reaches nothing"),
            approver: None,
            asked: false,
        };
        let mut rewritten = arguments.clone();
        let mut refused = Vec::new();
        // A tool that is denied as such does not run, even if it could report each refusal.
        if definition.accesses.iter().any(|access| access.lenient) {
            self.whole_tool(posture, tool)?;
        }
        let asker = Asker {
            tool,
            arguments: &|| serde_json::to_string(arguments).unwrap_or_default(),
            source,
            timeout: posture.prompt_timeout,
        };
        let mut urls = Vec::new();
        let mut channels = Vec::new();
        for access in &definition.accesses {
            for (slot, given) in values(access, arguments) {
                match access.target {
                    Target::Url => {
                        let url = self.settle_url(posture, &asker, &given, &mut trail).await?;
                        urls.push(ApprovedUrl {
                            argument: access.argument.clone(),
                            position: slot.position(),
                            url,
                            operations: access.operations,
                        });
                    }
                    Target::Channel => {
                        self.settle_channel(posture, &asker, &given, &mut trail).await?;
                        channels.push(ApprovedChannel {
                            argument: access.argument.clone(),
                            name: given,
                        });
                    }
                    Target::File | Target::Tree | Target::Directory => {
                        match self.settle_path(posture, &asker, access, &given, &mut trail).await {
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
            }
        }
        if posture.networks.contains(tool) {
            let settled = self
                .settle(&asker, || Judge::new(self, posture).key(tool, NETWORK))
                .await?;
            trail.note(settled);
        } else if paths.is_empty() && refused.is_empty() && urls.is_empty() && channels.is_empty() {
            self.whole_tool(posture, tool)?;
        }
        let mut exclusions = posture.policy.denies_for(tool);
        exclusions.extend(self.rules().denies_for(tool));
        Ok(Approval {
            arguments: rewritten,
            paths,
            urls,
            channels,
            refused,
            exclusions,
            decision: trail.decider,
            approver: trail.approver,
        })
    }

    async fn settle_url(
        &self,
        posture: &Posture,
        asker: &Asker<'_>,
        given: &str,
        trail: &mut Trail,
    ) -> Result<WebUrl, CallError> {
        let url = web_url(asker.tool, given)?;
        let settled = self
            .settle(asker, || Judge::new(self, posture).url(asker.tool, &url))
            .await?;
        trail.note(settled);
        Ok(url)
    }

    async fn settle_channel(
        &self,
        posture: &Posture,
        asker: &Asker<'_>,
        given: &str,
        trail: &mut Trail,
    ) -> Result<(), CallError> {
        known_channel(posture, asker.tool, given)?;
        let settled = self
            .settle(asker, || Judge::new(self, posture).key(asker.tool, given))
            .await?;
        trail.note(settled);
        Ok(())
    }

    /// Refuses a tool that a deny rule names as a whole.
    pub(super) fn whole_tool(&self, posture: &Posture, tool: &str) -> Result<(), CallError> {
        let own = self.rules();
        let rule = posture.policy.denies(tool, "").or_else(|| own.denies(tool, ""));
        match rule {
            Some(rule) => Err(verdict::by_rule(tool, "", rule).error()),
            None => Ok(()),
        }
    }

    async fn settle_path(
        &self,
        posture: &Posture,
        asker: &Asker<'_>,
        access: &Access,
        given: &str,
        trail: &mut Trail,
    ) -> Result<ApprovedPath, CallError> {
        let (requested, resolved) = self.resolve(posture, asker.tool, access, given)?;
        let request = PathRequest {
            tool: asker.tool,
            operations: access.operations,
            target: access.target,
            requested: &requested,
            resolved: &resolved,
        };
        let anchor = Judge::new(self, posture).anchor(&request);
        let settled = self
            .settle(asker, || Judge::new(self, posture).path(&request, &anchor))
            .await?;
        trail.note(settled);
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

    /// A path as given: absolute and clean, and where it really lies.
    pub(super) fn resolve(
        &self,
        posture: &Posture,
        tool: &str,
        access: &Access,
        given: &str,
    ) -> Result<(String, Resolved), CallError> {
        let invalid = |error: crate::scope::PathError| CallError::new(ErrorKind::InvalidArguments, error.to_string());
        let scope = &posture.scope;
        let requested = normalise(scope.project(), scope.home(), given).map_err(invalid)?;
        // Removing a link removes the link, not what it leads to.
        let follow_last = access.operations != Operations::DELETE;
        match scope.resolve(&requested, follow_last) {
            Ok(resolved) => Ok((requested, resolved)),
            Err(error) => Err(self.unresolvable(posture, tool, access, &requested, error)),
        }
    }

    /// A path that cannot be resolved is outside every scope. Inside the
    /// lexical scope the reason may be told; elsewhere it would answer
    /// questions about files that do not exist for this tenant.
    fn unresolvable(
        &self,
        posture: &Posture,
        tool: &str,
        access: &Access,
        requested: &str,
        error: Unresolvable,
    ) -> CallError {
        let scope = &posture.scope;
        let readable = |path: &str| {
            scope.locate(path).is_some_and(|place| {
                scope.denied(place.root, &place.relative).is_none()
                    && scope.mandatory_at(place.root, &place.relative, false).is_none()
                    && scope.access(place.root, &place.relative).read
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
        let decider = Decider::fixed(
            "scope.unresolvable",
            "a path that cannot be resolved is outside every scope",
        );
        if inside {
            let message = format!(
                "{tool}: denied, {requested} is treated as out of scope: {error} (rule {})",
                decider.id
            );
            return CallError::new(ErrorKind::Denied, message).by_rule(decider);
        }
        let resolved = Resolved {
            path: requested.to_owned(),
            link: None,
            exists: false,
        };
        let request = PathRequest {
            tool,
            operations: access.operations,
            target: access.target,
            requested,
            resolved: &resolved,
        };
        verdict::out_of_scope(&request, scope.project(), self.mode_over(posture), decider).error()
    }
}

/// A URL as it was given.
pub(super) fn web_url(tool: &str, given: &str) -> Result<WebUrl, CallError> {
    WebUrl::parse(given).map_err(|error| CallError::new(ErrorKind::InvalidArguments, format!("{tool}: {error}")))
}

/// A channel that exists.
pub(super) fn known_channel(posture: &Posture, tool: &str, given: &str) -> Result<(), CallError> {
    if posture.channels.iter().any(|name| name == given) {
        return Ok(());
    }
    let known = posture.channels.iter().map(String::as_str);
    let shown: String = given.escape_debug().take(64).collect();
    Err(CallError::new(
        ErrorKind::NotFound,
        format!(
            "{tool}: unknown target \"{shown}\"{}; the targets are {}",
            crate::suggest::hint(given, known.clone()),
            known.collect::<Vec<_>>().join(", ")
        ),
    ))
}

/// Where a value stood in the arguments.
pub(super) enum Slot {
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

/// What an argument names; its default when it is absent or empty.
pub(super) fn values(access: &Access, arguments: &Arguments) -> Vec<(Slot, String)> {
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
