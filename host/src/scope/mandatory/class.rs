//! The classes by name, what they keep from tools, and why.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A kind of files that no tool changes, or even reads, unless the operator
/// lifts it with `path_scope.lift`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MandatoryClass {
    /// Hooks and configuration of git repositories. Not to be changed.
    GitHooks,
    /// What shells and their helpers read when they start. Not to be changed.
    ShellStartFiles,
    /// Settings of editors and of agents in them. Not to be changed.
    EditorSettings,
    /// Descriptions of what a build server runs. Not to be changed.
    Ci,
    /// `.env` files. Neither read nor changed.
    EnvFiles,
    /// Private keys and stored credentials. Neither read nor changed.
    Keys,
    /// The host's own cache and state. Neither read nor changed.
    Own,
}

impl MandatoryClass {
    /// Every class, in the order in which messages list them.
    pub const ALL: [Self; 7] = [
        Self::GitHooks,
        Self::ShellStartFiles,
        Self::EditorSettings,
        Self::Ci,
        Self::EnvFiles,
        Self::Keys,
        Self::Own,
    ];

    /// The name in `path_scope.lift`, and after `mandatory.` in refusals.
    pub const fn name(self) -> &'static str {
        match self {
            Self::GitHooks => "git_hooks",
            Self::ShellStartFiles => "shell_start_files",
            Self::EditorSettings => "editor_settings",
            Self::Ci => "ci",
            Self::EnvFiles => "env_files",
            Self::Keys => "keys",
            Self::Own => "own",
        }
    }

    /// One line for the person who reads a refusal.
    pub const fn why(self) -> &'static str {
        match self {
            Self::GitHooks => "git runs commands that its hooks and its configuration name",
            Self::ShellStartFiles => "shells run it when they start",
            Self::EditorSettings => "editors and agents run commands that their settings name",
            Self::Ci => "build servers run the commands in it, with credentials of their own",
            Self::EnvFiles => "env files hold credentials",
            Self::Keys => "it is where private keys and credentials are kept",
            Self::Own => "it belongs to the host itself",
        }
    }

    /// Whether reading is refused as well, so that the files look absent.
    pub const fn hides(self) -> bool {
        matches!(self, Self::EnvFiles | Self::Keys | Self::Own)
    }
}

impl fmt::Display for MandatoryClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for MandatoryClass {
    type Err = String;

    /// # Errors
    /// Lists the names that exist.
    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|class| class.name() == text).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.into_iter().map(Self::name).collect();
            format!(
                "{text:?} is no class of mandatory denies; there are {}",
                known.join(", ")
            )
        })
    }
}
