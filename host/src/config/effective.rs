//! The configuration in force.

use std::path::PathBuf;

use super::file::Digest;
use super::origin::Origins;
use super::problem::Remark;
use super::report::Row;
use super::schema::Config;

/// Whose a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Named on the command line, or in the user's configuration directory.
    Operator,
    /// Found in the project; it may widen only once its digest is trusted.
    Project,
}

/// A file that took part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedFile {
    /// The file, by its resolved name.
    pub path: PathBuf,
    /// Of the bytes that were read.
    pub digest: Digest,
    /// Whose it is.
    pub role: Role,
    /// Whether everything it says counts.
    pub trusted: bool,
    /// What it says that did not count for want of trust.
    pub passed_over: Vec<Remark>,
    /// The same as values, as they may be shown.
    pub wanted: Vec<Row>,
}

/// The configuration in force, with everything there is to say about it.
#[derive(Debug, Clone, Default)]
pub struct Effective {
    /// The configuration; valid.
    pub config: Config,
    /// Where each value came from.
    pub origins: Origins,
    /// What the operator should know, in the order of the layers.
    pub remarks: Vec<Remark>,
    /// The files that took part, in the order of loading.
    pub files: Vec<LoadedFile>,
    /// The project directory: as given, or found. Empty where nothing was looked for.
    pub root: PathBuf,
    /// The project's `.agents` directory.
    pub agents_directory: Option<PathBuf>,
    /// Files that were read, or would be at the next start: what they say
    /// grants rights, whether they exist or not.
    pub own_files: Vec<PathBuf>,
    /// Where answers of the operator that are to last are written ([`super::Writer`]): the last
    /// file that was named, or one for this project in the state directory, which need not exist.
    /// Never a project's own file, which others can change and an edit of which ends its trust.
    pub grants_file: Option<PathBuf>,
    /// Tools that must be there: the names given with `--enable-tools`.
    pub enabled_tools: Vec<String>,
    /// Whether nobody is asked for approvals, whoever could be (`--yolo`).
    pub unattended: bool,
}

impl Effective {
    /// The project files whose wishes did not all count.
    pub fn untrusted(&self) -> impl Iterator<Item = &LoadedFile> {
        self.files.iter().filter(|file| !file.trusted)
    }
}
