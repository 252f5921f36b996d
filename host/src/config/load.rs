//! Reads a configuration file: TOML or JSON, strict.

use std::path::{Path, PathBuf};

use super::schema::Config;
use crate::scope::Access;

/// A configuration that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The text is not TOML or JSON, or a key or value is not known.
    #[error("{origin}: {reason}")]
    Invalid {
        /// The file, or where else the value came from.
        origin: String,
        /// What is wrong, where, and what would work.
        reason: String,
    },
}

impl Config {
    /// Loads `.toml` or `.json`.
    ///
    /// # Errors
    /// Names the file, the place and the nearest known key.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path).map_err(|error| ConfigError::Read {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let parsed = match path.extension().and_then(|extension| extension.to_str()) {
            Some("json") => Self::from_json(text),
            Some("toml") => Self::from_toml(text),
            _ => Err("the name must end in .toml or .json".to_owned()),
        };
        let config = parsed.and_then(|config| config.validate().map(|()| config));
        config.map_err(|reason| ConfigError::Invalid {
            origin: path.display().to_string(),
            reason,
        })
    }

    /// Parses JSON text; repeated keys are errors.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let value = crate::json::parse(text).map_err(|error| error.to_string())?;
        if !value.is_object() {
            return Err("the configuration must be a JSON object".to_owned());
        }
        serde_json::from_value(value).map_err(|error| explain(&error.to_string()))
    }

    /// Parses TOML text.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| explain(&error.to_string()))
    }

    /// Checks what types cannot say.
    ///
    /// # Errors
    /// Names the key, the value and what would work.
    pub fn validate(&self) -> Result<(), String> {
        if self.version > 1 {
            return Err(format!(
                "version {} is not known; this build reads version 1",
                self.version
            ));
        }
        for (number, entry) in self.path_scope.allow_paths.iter().enumerate() {
            if entry.path.is_empty() {
                return Err(format!("path_scope.allow_paths[{number}].path is empty"));
            }
            entry
                .parsed_access()
                .map_err(|reason| format!("path_scope.allow_paths[{number}].access: {reason}"))?;
        }
        let limits = &self.limits;
        if !(limits.deadline_seconds > 0.0 && limits.deadline_seconds <= 86_400.0) {
            return Err(format!(
                "limits.deadline_seconds is {}; it must be above 0 and at most 86400",
                limits.deadline_seconds
            ));
        }
        if limits.concurrency == 0 || limits.concurrency > 1024 {
            return Err(format!(
                "limits.concurrency is {}; it must be 1 to 1024",
                limits.concurrency
            ));
        }
        if limits.memory_bytes < 1 << 20 {
            return Err(format!(
                "limits.memory_bytes is {}; a tool needs at least 1048576",
                limits.memory_bytes
            ));
        }
        self.audit.validate()
    }
}

impl super::AllowPath {
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

/// Adds the nearest known key to serde's list of expected ones.
fn explain(message: &str) -> String {
    let message = message.trim_end();
    let mut quoted = message.split('`').skip(1).step_by(2);
    if let Some(given) = message.contains("unknown field").then(|| quoted.next()).flatten() {
        let known: Vec<&str> = quoted.collect();
        return format!("{message}{}", crate::suggest::hint(given, known));
    }
    message.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_are_errors_with_a_suggestion() {
        let error = Config::from_json(r#"{"permissions":{"mdoe":"yolo"}}"#).unwrap_err();
        assert!(
            error.contains("mdoe") && error.contains("did you mean \"mode\""),
            "{error}"
        );
        let error = Config::from_toml("[permissions]\nmdoe = \"yolo\"\n").unwrap_err();
        assert!(
            error.contains("mdoe") && error.contains("did you mean \"mode\""),
            "{error}"
        );
        assert!(Config::from_json("null").is_err());
        assert!(Config::from_json(r#"{"permissions":{},"permissions":{}}"#).is_err());
        let error = Config::from_json(r#"{"permissions":{"mode":"accept-edits"}}"#).unwrap_err();
        assert!(
            error.contains("accept-edits") && error.contains("acceptEdits"),
            "{error}"
        );
    }
}
