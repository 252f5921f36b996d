//! One file or text that counts in full, without layers.

use std::path::{Path, PathBuf};

use super::check;
use super::file::{self, Owner};
use super::layer::Layer;
use super::merge::Merged;
use super::problem::Problem;
use super::schema::Config;

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
        /// What is wrong, where, and what would work; one line for each finding.
        reason: String,
    },
}

impl Config {
    /// Loads `.toml` or `.json`; what the operator named counts in full.
    ///
    /// # Errors
    /// Names the file, the line and the nearest known key of everything that is wrong.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let read = file::read(path, Owner::Any).map_err(|reason| ConfigError::Read {
            path: path.to_owned(),
            reason,
        })?;
        Self::from_text(path, &read.text).map_err(|reason| ConfigError::Invalid {
            origin: path.display().to_string(),
            reason,
        })
    }

    /// Parses JSON text; repeated keys are errors.
    ///
    /// # Errors
    /// What is wrong, and on which line.
    pub fn from_json(text: &str) -> Result<Self, String> {
        Self::from_text(Path::new("configuration.json"), text)
    }

    /// Parses TOML text.
    ///
    /// # Errors
    /// What is wrong, and on which line.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        Self::from_text(Path::new("configuration.toml"), text)
    }

    fn from_text(path: &Path, text: &str) -> Result<Self, String> {
        let layer = Layer::file(path, text).map_err(|problems| {
            let lines: Vec<String> = problems.iter().map(without_file).collect();
            lines.join("\n")
        })?;
        for remark in &layer.remarks {
            tracing::warn!("{remark}");
        }
        let mut merged = Merged::new();
        merged.apply(&layer);
        merged.finish().map(|(config, _)| config)
    }

    /// Checks what types cannot say.
    ///
    /// # Errors
    /// Names the key, the value and what would work, one line for each finding.
    pub fn validate(&self) -> Result<(), String> {
        let complaints = check::semantics(self);
        let errors = complaints
            .iter()
            .filter(|complaint| complaint.severity == check::Severity::Error);
        let lines: Vec<String> = errors.map(|error| format!("{}: {}", error.path, error.text)).collect();
        if lines.is_empty() {
            Ok(())
        } else {
            Err(lines.join("\n"))
        }
    }
}

/// A problem for those who name the file themselves.
fn without_file(problem: &Problem) -> String {
    let line = match problem.origin {
        super::Origin::File { line: Some(line), .. } => format!("line {line}: "),
        _ => String::new(),
    };
    if problem.key.is_empty() {
        format!("{line}{}", problem.reason)
    } else {
        format!("{line}{}: {}", problem.key, problem.reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_are_errors_with_a_suggestion() {
        for error in [
            Config::from_json(r#"{"permissions":{"mdoe":"yolo"}}"#).unwrap_err(),
            Config::from_toml("[permissions]\nmdoe = \"yolo\"\n").unwrap_err(),
        ] {
            assert!(
                error.contains("mdoe") && error.contains("did you mean \"mode\""),
                "{error}"
            );
        }
        assert!(Config::from_json("null").is_err());
        assert!(Config::from_json(r#"{"permissions":{},"permissions":{}}"#).is_err());
        let error = Config::from_json(r#"{"permissions":{"mode":"accept-edits"}}"#).unwrap_err();
        assert!(
            error.contains("accept-edits") && error.contains("acceptEdits"),
            "{error}"
        );
    }

    #[test]
    fn everything_wrong_is_said_at_once() {
        let text = "versoin = 1\n[permissions]\nmode = 'Ask'\ndeny = ['bash:[']\nunscoped = 'yes'\n[limits]\nconcurrency = 0\n[path_scope]\nallow_paths = [{ path = '/a', access = 'x' }]\n";
        let error = Config::from_toml(text).unwrap_err();
        let expected = [
            "line 1: versoin",
            "line 3: permissions.mode",
            "line 4: permissions.deny[0]",
            "line 5: permissions.unscoped",
            "line 7: limits.concurrency",
            "line 9: path_scope.allow_paths[0].access",
        ];
        for text in expected {
            assert!(error.contains(text), "{text} is missing from\n{error}");
        }
        assert_eq!(error.lines().count(), expected.len(), "{error}");
    }

    #[test]
    fn configurations_built_in_code_are_checked_too() {
        assert_eq!(Config::default().validate(), Ok(()));
        let mut config = Config::default();
        config.limits.concurrency = 0;
        config.path_scope.allow_paths.push(super::super::AllowPath::default());
        let error = config.validate().unwrap_err();
        assert!(
            error.contains("limits.concurrency") && error.contains("allow_paths[0].path"),
            "{error}"
        );
    }
}
