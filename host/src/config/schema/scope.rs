//! `path_scope`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scope::{Access, MandatoryClass};

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
    pub lift: Vec<MandatoryClass>,
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
