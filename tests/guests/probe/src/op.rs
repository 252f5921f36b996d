//! One operation as a test writes it.

use schemars::JsonSchema;
use serde::Deserialize;
use toolgate_plugin::bindings::wasi::filesystem::types::{DescriptorFlags, OpenFlags, PathFlags};

/// An operation. Which fields count depends on `op`.
#[derive(Deserialize, JsonSchema)]
#[serde(default)]
#[derive(Default)]
pub struct Op {
    /// The operation.
    pub op: String,
    /// The variable whose handle it is done on; a preopen, if it is a number.
    pub at: Option<String>,
    /// The path.
    pub path: String,
    /// Flags, one letter each.
    pub how: String,
    /// The variable that takes the handle.
    #[serde(rename = "as")]
    pub into: String,
    /// The variable of the second handle.
    pub to: Option<String>,
    /// The second path.
    pub new: String,
    /// What to write, or the text of a link.
    pub text: String,
    /// Position, size, or seconds.
    pub offset: u64,
    /// Bytes, or nanoseconds.
    pub length: u64,
}

impl Op {
    fn has(&self, letter: char) -> bool {
        self.how.contains(letter)
    }

    /// `f`: follow a link at the end.
    pub(crate) fn path_flags(&self) -> PathFlags {
        if self.has('f') {
            PathFlags::SYMLINK_FOLLOW
        } else {
            PathFlags::empty()
        }
    }

    /// `c` create, `d` directory, `x` exclusive, `t` truncate.
    pub(crate) fn open_flags(&self) -> OpenFlags {
        let letters = [
            ('c', OpenFlags::CREATE),
            ('d', OpenFlags::DIRECTORY),
            ('x', OpenFlags::EXCLUSIVE),
            ('t', OpenFlags::TRUNCATE),
        ];
        letters
            .into_iter()
            .filter(|(letter, _)| self.has(*letter))
            .fold(OpenFlags::empty(), |all, (_, flag)| all | flag)
    }

    /// `r` read, `w` write, `m` mutate-directory, `s` all three kinds of sync.
    pub(crate) fn descriptor_flags(&self) -> DescriptorFlags {
        let sync = DescriptorFlags::FILE_INTEGRITY_SYNC
            | DescriptorFlags::DATA_INTEGRITY_SYNC
            | DescriptorFlags::REQUESTED_WRITE_SYNC;
        let letters = [
            ('r', DescriptorFlags::READ),
            ('w', DescriptorFlags::WRITE),
            ('m', DescriptorFlags::MUTATE_DIRECTORY),
            ('s', sync),
        ];
        letters
            .into_iter()
            .filter(|(letter, _)| self.has(*letter))
            .fold(DescriptorFlags::empty(), |all, (_, flag)| all | flag)
    }
}
