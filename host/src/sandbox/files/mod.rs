//! The capability `toolgate:plugin/files`: permission bits, and atomic durable replacement of a file.
//! Called by guests through the linker. Every path goes through the resolver of `filesystem`.
//! Must not touch: paths by name; it works below directories that the resolver holds.

mod pending;
mod replacement;

use wasmtime::component::Resource;

use crate::sandbox::bindings::toolgate::plugin::files::{Host, HostReplacement, Replaced};
use crate::sandbox::bindings::wasi::filesystem::types::ErrorCode;
use crate::sandbox::filesystem::{Descriptor, FsError};
use crate::sandbox::state::CallState;

pub(super) use pending::is_unfinished;
pub use pending::sweep as sweep_pending;
#[allow(unreachable_pub)] // the generated bindings name it in a public place
pub use replacement::Replacement;

impl Host for CallState {
    fn mode_at(&mut self, directory: Resource<Descriptor>, path: String) -> Result<u32, FsError> {
        let descriptor = self.table.get(&directory)?;
        self.files.mode_at(descriptor, &path)
    }
}

impl HostReplacement for CallState {
    fn begin(&mut self, directory: Resource<Descriptor>, path: String) -> Result<Resource<Replacement>, FsError> {
        let descriptor = self.table.get(&directory)?;
        let replacement = Replacement::begin(&self.files, descriptor, &path)?;
        Ok(self.table.push(replacement)?)
    }

    fn begin_exact(&mut self, file: Resource<Descriptor>) -> Result<Resource<Replacement>, FsError> {
        let replacement = Replacement::begin_exact(&self.files, self.table.get(&file)?)?;
        Ok(self.table.push(replacement)?)
    }

    fn write(&mut self, replacement: Resource<Replacement>, bytes: Vec<u8>) -> Result<(), FsError> {
        let replacement = self.table.get_mut(&replacement)?;
        self.files
            .budget
            .take_bytes(bytes.len() as u64, replacement.written() + bytes.len() as u64)?;
        replacement.write(&bytes)
    }

    fn commit(&mut self, replacement: Resource<Replacement>) -> Result<Replaced, FsError> {
        let replacement = self.table.get_mut(&replacement)?;
        let created = replacement.commit(&self.files)?;
        Ok(Replaced {
            created,
            bytes: replacement.written(),
        })
    }

    fn drop(&mut self, replacement: Resource<Replacement>) -> wasmtime::Result<()> {
        self.table.delete(replacement)?;
        Ok(())
    }
}

/// A refusal that names the reason a tool would give: the file has no write bit.
const READ_ONLY: ErrorCode = ErrorCode::ReadOnly;
