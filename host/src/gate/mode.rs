//! The permission modes.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

/// The posture towards calls that no rule decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "String")]
pub enum Mode {
    /// Ask the operator; without one, refuse.
    #[default]
    Ask,
    /// Refuse without asking: only what rules allow passes.
    Allow,
    /// Let everything pass that no deny rule, deny pattern or scope stops.
    Yolo,
    /// Reading in scope only.
    Plan,
    /// File changes in scope pass; everything else as in `ask`.
    AcceptEdits,
}

impl Mode {
    /// All modes, in the order of the documentation.
    pub const ALL: [Self; 5] = [Self::Ask, Self::Allow, Self::Yolo, Self::Plan, Self::AcceptEdits];

    /// The spelling in configuration and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Allow => "allow",
            Self::Yolo => "yolo",
            Self::Plan => "plan",
            Self::AcceptEdits => "acceptEdits",
        }
    }
}

impl FromStr for Mode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        let names = Self::ALL.map(Self::as_str);
        Self::ALL.into_iter().find(|mode| mode.as_str() == text).ok_or_else(|| {
            format!(
                "unknown mode {text:?}; the modes are {}{}",
                names.join(", "),
                crate::suggest::hint(&text.replace(['-', '_'], ""), names)
            )
        })
    }
}

impl TryFrom<String> for Mode {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
