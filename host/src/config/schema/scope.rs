//! `path_scope`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scope::Access;

/// `path_scope`: which paths exist for the tools.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PathScopeConfig {
    /// Patterns that grant reading and writing.
    pub allow: Vec<String>,
    /// Patterns with their access.
    pub allow_paths: Vec<AllowPath>,
    /// Patterns that remove paths from every scope, existing or not.
    pub deny: Vec<String>,
    /// Classes of files that grant rights or run commands, which a change need not be approved for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lift: Vec<LiftedClass>,
    /// What to do with files that have several names.
    pub hardlinks: Hardlinks,
    /// Whether tools may cross into another mounted file system below a root.
    pub cross_device: bool,
}

/// One entry of `path_scope.allow_paths`.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AllowPath {
    /// The pattern.
    #[schemars(length(min = 1))]
    pub path: String,
    /// `r`, `w` or `rw`.
    pub access: String,
    /// Another name for `access`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub mode: Option<String>,
}

impl AllowPath {
    /// The access of this entry, from either of its two keys.
    ///
    /// # Errors
    /// Names the value and the accepted spellings.
    pub fn parsed_access(&self) -> Result<Access, String> {
        match &self.mode {
            None => self.access.parse(),
            Some(mode) if self.access.is_empty() => mode.parse(),
            Some(mode) => {
                let (access, mode): (Access, Access) = (self.access.parse()?, mode.parse()?);
                if access == mode {
                    Ok(access)
                } else {
                    Err("access and mode are both given and differ; keep access".to_owned())
                }
            }
        }
    }
}

/// A class of files in `path_scope.lift`: inside a granted root they take a fresh approval for
/// each change, unless the operator lifts that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LiftedClass {
    /// `.git/hooks` and what else git runs or reads as commands.
    GitHooks,
    /// Files that shells run when they start.
    ShellStartFiles,
    /// Settings of editors, which can name programs to run.
    EditorSettings,
    /// What a build service runs.
    Ci,
    /// Files of environment variables.
    EnvFiles,
    /// Keys and what decides who may log in.
    Keys,
    /// The host's own configuration.
    Own,
}

impl LiftedClass {
    /// The name, as in the configuration.
    pub fn as_str(self) -> &'static str {
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
}

/// `path_scope.hardlinks`: no path-based scheme can see the other names of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Hardlinks {
    /// Files with several names are like any other.
    Allow,
    /// They may be read; writing in place is refused, replacing breaks the link.
    #[default]
    DenyWrite,
    /// They may not be read either.
    Deny,
}
