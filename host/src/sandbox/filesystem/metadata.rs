//! Metadata in the shapes of `wasi:filesystem`.

use rustix::fs::{FileType, Stat};

use super::call_files::{CallFiles, Need};
use super::descriptor::{Descriptor, Object};
use super::errors::FsError;
use super::place::Place;
use crate::sandbox::bindings::wasi::filesystem::types::{
    Datetime, DescriptorStat, DescriptorType, ErrorCode, MetadataHashValue,
};

pub(super) fn descriptor_type(kind: FileType) -> DescriptorType {
    match kind {
        FileType::RegularFile => DescriptorType::RegularFile,
        FileType::Directory => DescriptorType::Directory,
        FileType::Symlink => DescriptorType::SymbolicLink,
        FileType::Fifo => DescriptorType::Fifo,
        FileType::Socket => DescriptorType::Socket,
        FileType::CharacterDevice => DescriptorType::CharacterDevice,
        FileType::BlockDevice => DescriptorType::BlockDevice,
        FileType::Unknown => DescriptorType::Unknown,
    }
}

pub(super) fn descriptor_stat(stat: &Stat) -> DescriptorStat {
    let kind = FileType::from_raw_mode(stat.st_mode);
    // Its width differs between architectures.
    #[allow(clippy::unnecessary_cast)]
    let link_count = match kind {
        // Some file systems count subdirectories here, hidden ones as well.
        FileType::Directory => 1,
        _ => stat.st_nlink as u64,
    };
    DescriptorStat {
        type_: descriptor_type(kind),
        link_count,
        size: u64::try_from(stat.st_size).unwrap_or(0),
        data_access_timestamp: datetime(stat.st_atime, stat.st_atime_nsec),
        data_modification_timestamp: datetime(stat.st_mtime, stat.st_mtime_nsec),
        status_change_timestamp: datetime(stat.st_ctime, stat.st_ctime_nsec),
    }
}

/// WASI times start in 1970; earlier ones are not given rather than wrong.
fn datetime(seconds: i64, nanoseconds: impl TryInto<u32>) -> Option<Datetime> {
    Some(Datetime {
        seconds: u64::try_from(seconds).ok()?,
        nanoseconds: nanoseconds.try_into().ok()?,
    })
}

impl CallFiles {
    /// Permission and special bits; a link at the end is followed in scope.
    pub(in crate::sandbox) fn mode_at(&self, descriptor: &Descriptor, path: &str) -> Result<u32, FsError> {
        let place = super::place::place(descriptor, path)?;
        Ok(self.stat(&place, true)?.st_mode & 0o7777)
    }

    /// Root and normalised path that a guest path stands for.
    pub(in crate::sandbox) fn place_of(&self, descriptor: &Descriptor, path: &str) -> Result<(usize, String), FsError> {
        let place = super::place::place(descriptor, path)?;
        if place.must_be_directory {
            return Err(ErrorCode::IsDirectory.into());
        }
        Ok((place.root, place.relative))
    }

    /// Metadata of an open descriptor.
    pub(super) fn stat_descriptor(&self, descriptor: &Descriptor) -> Result<Stat, FsError> {
        match &descriptor.object {
            Object::File { fd, .. } => Ok(rustix::fs::fstat(fd)?),
            Object::Directory { .. } => self.stat(
                &Place {
                    root: descriptor.root,
                    relative: descriptor.relative.clone(),
                    must_be_directory: true,
                },
                true,
            ),
        }
    }

    /// A hash that tells objects apart within this call and says nothing to
    /// anybody else, since its key is drawn for the call.
    pub(super) fn metadata_hash(&self, stat: &Stat) -> Result<MetadataHashValue, FsError> {
        let key = match self.hash_key.get() {
            Some(key) => key,
            None => {
                let mut key = [0; 32];
                crate::sandbox::cache::fill_random(&mut key).map_err(|_| ErrorCode::Io)?;
                self.hash_key.get_or_init(|| key)
            }
        };
        let mut hasher = blake3::Hasher::new_keyed(key);
        hasher.update(&stat.st_dev.to_le_bytes());
        hasher.update(&stat.st_ino.to_le_bytes());
        hasher.update(&stat.st_mtime.to_le_bytes());
        hasher.update(&stat.st_size.to_le_bytes());
        let hash = hasher.finalize();
        let half = |range: std::ops::Range<usize>| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&hash.as_bytes()[range]);
            u64::from_le_bytes(bytes)
        };
        Ok(MetadataHashValue {
            lower: half(0..8),
            upper: half(8..16),
        })
    }

    /// The text of a link, if it leads to a place that this call may know of.
    pub(super) fn read_link(&self, place: &Place) -> Result<String, FsError> {
        if place.must_be_directory {
            return Err(ErrorCode::Invalid.into());
        }
        let parent = self.parent(place.root, &place.relative, Need::Stat)?;
        let target = rustix::fs::readlinkat(&parent.fd, parent.name(), Vec::new())?;
        let target = target.into_string().map_err(|_| ErrorCode::IllegalByteSequence)?;
        if target.starts_with('/') {
            return Err(ErrorCode::NotPermitted.into());
        }
        let (directory, _) = super::place::split(&parent.relative).unwrap_or(("", ""));
        let base = Descriptor::preopen(place.root, directory.to_owned());
        let leads_to = super::place::place(&base, &target)?;
        if self.is_denied(leads_to.root, &leads_to.relative) {
            return Err(ErrorCode::NoEntry.into());
        }
        Ok(target)
    }
}
