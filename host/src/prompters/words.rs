//! The words that every medium uses.

use crate::gate::{Decision, PromptKind};

/// A decision in words, without what it covers.
pub const fn label(decision: Decision) -> &'static str {
    match decision {
        Decision::Deny => "deny",
        Decision::Once => "allow once",
        Decision::Session => "allow for this session",
        Decision::SessionVerb => "allow the verb for this session",
        Decision::SessionTool => "allow the tool for this session",
        Decision::Always => "always allow",
        Decision::AlwaysDirectory => "always allow the directory",
    }
}

/// Why a question of this kind is asked.
pub const fn why(kind: PromptKind) -> &'static str {
    match kind {
        PromptKind::Bash => "it runs a shell command",
        PromptKind::FileWrite => "it changes a file in the project",
        PromptKind::PathScope => "it is OUTSIDE THE PROJECT",
        PromptKind::Generic => "it reaches beyond the project's files",
        PromptKind::ControlPlaneWrite => "CONTROL PLANE: that file can grant rights or run commands",
    }
}
