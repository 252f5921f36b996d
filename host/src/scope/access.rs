//! What a scope entry allows.

use std::fmt;
use std::str::FromStr;

/// Read and write rights, independent of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Access {
    /// Reading content, metadata and listings.
    pub read: bool,
    /// Changing, creating and deleting.
    pub write: bool,
}

impl Access {
    /// No right at all.
    pub const NONE: Self = Self {
        read: false,
        write: false,
    };
    /// Reading only.
    pub const READ: Self = Self {
        read: true,
        write: false,
    };
    /// Reading and writing.
    pub const READ_WRITE: Self = Self {
        read: true,
        write: true,
    };

    /// The rights that either side has.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self {
            read: self.read || other.read,
            write: self.write || other.write,
        }
    }
}

impl FromStr for Access {
    type Err = String;

    /// `r`, `w`, `rw` and their long forms, in any case, blanks around ignored.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim().to_ascii_lowercase().as_str() {
            "r" | "read" => Ok(Self::READ),
            "w" | "write" => Ok(Self {
                read: false,
                write: true,
            }),
            "rw" | "wr" | "readwrite" | "read+write" => Ok(Self::READ_WRITE),
            _ => Err(format!("unknown access {text:?}; use r (read), w (write) or rw (both)")),
        }
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.read, self.write) {
            (true, true) => "rw",
            (true, false) => "r",
            (false, true) => "w",
            (false, false) => "none",
        })
    }
}
