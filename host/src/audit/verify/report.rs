//! What was found.

use serde::Serialize;

/// Most losses that are listed one by one.
const LISTED: usize = 100;

/// The state of a log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The files that were read, oldest first, the one with the fault included.
    pub files: Vec<FileReport>,
    /// Lines that are as they were written.
    pub lines: u64,
    /// How many of them are calls.
    pub records: u64,
    /// Whether the newest line is protected by a key.
    pub keyed: bool,
    /// The first place at which the log is not what was written. Nothing behind it was read.
    pub fault: Option<Fault>,
    /// What the log itself says it lacks, the first hundred places.
    pub losses: Vec<Loss>,
    /// How many such places there are.
    pub loss_count: u64,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileReport {
    /// Its name in the directory.
    pub name: String,
    /// Its number, as its first line says.
    pub number: Option<u64>,
    /// Lines that are as they were written.
    pub lines: u64,
    /// Its length when it was opened.
    pub bytes: u64,
}

/// Where the log was tampered with or damaged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// What kind of damage it is.
    pub kind: FaultKind,
    /// The file; where one is missing, the one after it.
    pub file: String,
    /// The line, from 1; 0 if it is about the file.
    pub line: u64,
    /// What was expected and what is there.
    pub detail: String,
}

/// Kinds of damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// A line is not what was written.
    ChangedLine,
    /// A line does not belong behind the one before it.
    BrokenChain,
    /// Lines were taken out.
    MissingLines,
    /// A file was taken out.
    MissingFile,
    /// A file does not begin as files do, or has another's name.
    ForeignFile,
    /// A file was made with another key, or without one after there was one.
    OtherKey,
    /// The file that names the last line is missing or not what was written.
    Head,
}

impl FaultKind {
    /// In words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ChangedLine => "changed line",
            Self::BrokenChain => "broken chain",
            Self::MissingLines => "missing lines",
            Self::MissingFile => "missing file",
            Self::ForeignFile => "foreign file",
            Self::OtherKey => "other key",
            Self::Head => "head",
        }
    }
}

impl FaultKind {
    /// What it means, in a sentence.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::ChangedLine => "Somebody changed this line, or the disk damaged it",
            Self::BrokenChain => "Lines were put in, repeated, moved, or written by somebody else",
            Self::MissingLines => "Somebody took lines out, or a file system lost them",
            Self::MissingFile => "A whole file was deleted, other than by rotation",
            Self::ForeignFile => "This file is not part of the log, or was renamed",
            Self::OtherKey => "This part was not written with the key of the log, or the key is gone",
            Self::Head => {
                "The note of the last line was changed or deleted, so that lines cut off at the end would not show"
            }
        }
    }
}

/// Something that the log lacks and says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Loss {
    /// What is lacking.
    pub kind: LossKind,
    /// The file.
    pub file: String,
    /// The line that says so, from 1.
    pub line: u64,
    /// Bytes of the piece, lines, or records.
    pub count: u64,
    /// Why, as far as known.
    pub detail: String,
}

/// Kinds of losses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LossKind {
    /// A writer was stopped in the middle of a line.
    TornTail,
    /// Lines at the end were gone when a writer came back: after a power failure, or because
    /// somebody cut them off.
    MissingLines,
    /// Records that could not be written.
    LostRecords,
}

impl LossKind {
    /// In words, with how many.
    pub fn describe(self, count: u64) -> String {
        match self {
            Self::TornTail => format!("a torn line of {count} bytes"),
            Self::MissingLines => format!("{count} lines were gone when a writer came back"),
            Self::LostRecords => format!("{count} records could not be written"),
        }
    }
}

impl Report {
    /// Whether the log is what was written.
    pub fn is_intact(&self) -> bool {
        self.fault.is_none()
    }

    /// Whether it is that, and lacks nothing.
    pub fn is_complete(&self) -> bool {
        self.is_intact() && self.loss_count == 0
    }

    pub(super) fn lose(&mut self, kind: LossKind, line: u64, count: u64, detail: String) {
        self.loss_count += 1;
        if self.losses.len() < LISTED {
            let file = self.files.last().map(|file| file.name.clone()).unwrap_or_default();
            self.losses.push(Loss {
                kind,
                file,
                line,
                count,
                detail,
            });
        }
    }
}
