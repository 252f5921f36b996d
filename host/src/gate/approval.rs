//! What the gate hands on: the call's arguments in canonical form, and what it may reach.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::call::CallError;
use crate::catalog::{Operations, Target};
use crate::gate::{Approver, Decider, Rule};
use crate::scope::Place;
use crate::scope::web::WebUrl;

/// A decision that lets a call pass. The sandbox turns it into capabilities;
/// nothing behind the gate reads policy.
#[derive(Debug, Clone)]
pub struct Approval {
    /// Arguments with every path resolved and absolute.
    pub arguments: Map<String, Value>,
    /// The paths the call may reach, and for what.
    pub paths: Vec<ApprovedPath>,
    /// The URLs the call may request.
    pub urls: Vec<ApprovedUrl>,
    /// The channels the call may send to.
    pub channels: Vec<ApprovedChannel>,
    /// Paths of lenient accesses that were refused.
    pub refused: Vec<RefusedPath>,
    /// Deny rules that may hit what a walk meets below an approved path, or where a request is sent on to.
    pub exclusions: Vec<Arc<Rule>>,
    /// What decided: a rule, a grant, the scope or the mode.
    pub decision: Decider,
    /// Who approved it, if somebody was asked and the host knows who answered.
    pub approver: Option<Approver>,
}

/// One approved path.
#[derive(Debug, Clone)]
pub struct ApprovedPath {
    /// The argument that named it.
    pub argument: String,
    /// Where in the argument it stood, if that is a list; otherwise 0.
    pub position: usize,
    /// Absolute and without symbolic links.
    pub path: String,
    /// The text of the link, if the path as given ended in one.
    pub link: Option<String>,
    /// How far the approval reaches from the path.
    pub target: Target,
    /// What may be done.
    pub operations: Operations,
    /// What the path is reached through.
    pub anchor: Anchor,
}

/// One approved URL.
#[derive(Debug, Clone)]
pub struct ApprovedUrl {
    /// The argument that named it.
    pub argument: String,
    /// Where in the argument it stood, if that is a list; otherwise 0.
    pub position: usize,
    /// The URL as it will be requested.
    pub url: WebUrl,
    /// What may be done.
    pub operations: Operations,
}

/// One approved channel.
#[derive(Debug, Clone)]
pub struct ApprovedChannel {
    /// The argument that named it.
    pub argument: String,
    /// The name.
    pub name: String,
}

/// One path that a call named and does not get.
#[derive(Debug, Clone)]
pub struct RefusedPath {
    /// The argument that named it.
    pub argument: String,
    /// Where in the argument it stood, if that is a list; otherwise 0.
    pub position: usize,
    /// The path as given.
    pub path: String,
    /// Why not.
    pub error: CallError,
}

/// What an approved path is reached through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Anchor {
    /// A root of the scope.
    Scope(Place),
    /// A path outside the scope that the operator approved for this call.
    Outside,
}
