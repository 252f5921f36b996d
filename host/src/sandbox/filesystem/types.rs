//! The traits of `wasi:filesystem`, each method one line to the verb that does it.

use wasmtime::component::Resource;
use wasmtime_wasi_io::streams::{DynInputStream, DynOutputStream};

use super::descriptor::{Descriptor, Listing, Object};
use super::errors::{FsError, code};
use super::open::Open;
use super::place::place;
use super::streams::{Failure, FileInput, FileOutput};
use crate::sandbox::bindings::wasi::filesystem::preopens;
use crate::sandbox::bindings::wasi::filesystem::types::{
    Advice, DescriptorFlags, DescriptorStat, DescriptorType, DirectoryEntry, ErrorCode, Filesize, Host, HostDescriptor,
    HostDirectoryEntryStream, MetadataHashValue, NewTimestamp, OpenFlags, PathFlags,
};
use crate::sandbox::state::CallState;

type Result<T> = std::result::Result<T, FsError>;

fn follows(flags: PathFlags) -> bool {
    flags.contains(PathFlags::SYMLINK_FOLLOW)
}

impl Host for CallState {
    fn convert_error_code(&mut self, error: FsError) -> wasmtime::Result<ErrorCode> {
        match error {
            FsError::Code(code) => Ok(code),
            FsError::Trap(error) => Err(error),
        }
    }

    fn filesystem_error_code(
        &mut self,
        error: Resource<wasmtime_wasi_io::streams::Error>,
    ) -> wasmtime::Result<Option<ErrorCode>> {
        let error = self.table.get(&error)?;
        Ok(error.downcast_ref::<Failure>().map(|failure| code(failure.0)))
    }
}

impl preopens::Host for CallState {
    fn get_directories(&mut self) -> wasmtime::Result<Vec<(Resource<Descriptor>, String)>> {
        let mut all = Vec::new();
        for root in self.files.preopens() {
            let name = self.files.root_path(root).to_owned();
            all.push((self.table.push(Descriptor::preopen(root, String::new()))?, name));
        }
        Ok(all)
    }
}

impl HostDescriptor for CallState {
    fn read_via_stream(&mut self, fd: Resource<Descriptor>, offset: Filesize) -> Result<Resource<DynInputStream>> {
        let descriptor = self.table.get(&fd).map_err(FsError::from)?;
        let (fd, readable, _) = descriptor.file().ok_or(ErrorCode::IsDirectory)?;
        if !readable {
            return Err(ErrorCode::BadDescriptor.into());
        }
        let stream: DynInputStream = Box::new(FileInput { fd: fd.clone(), offset });
        Ok(self.table.push(stream)?)
    }

    fn write_via_stream(&mut self, fd: Resource<Descriptor>, offset: Filesize) -> Result<Resource<DynOutputStream>> {
        self.output(&fd, Some(offset))
    }

    fn append_via_stream(&mut self, fd: Resource<Descriptor>) -> Result<Resource<DynOutputStream>> {
        self.output(&fd, None)
    }

    fn advise(&mut self, fd: Resource<Descriptor>, _: Filesize, _: Filesize, _: Advice) -> Result<()> {
        // Advice is optional to take; a guest gains nothing by steering the host's page cache.
        self.table.get(&fd)?;
        Ok(())
    }

    fn sync_data(&mut self, fd: Resource<Descriptor>) -> Result<()> {
        match self.table.get(&fd)?.file() {
            Some((fd, ..)) => Ok(rustix::fs::fdatasync(fd)?),
            None => Ok(()),
        }
    }

    fn sync(&mut self, fd: Resource<Descriptor>) -> Result<()> {
        match self.table.get(&fd)?.file() {
            Some((fd, ..)) => Ok(rustix::fs::fsync(fd)?),
            None => Ok(()),
        }
    }

    fn get_flags(&mut self, fd: Resource<Descriptor>) -> Result<DescriptorFlags> {
        let mut flags = DescriptorFlags::empty();
        match self.table.get(&fd)?.file() {
            Some((_, readable, writable)) => {
                if readable {
                    flags |= DescriptorFlags::READ;
                }
                if writable {
                    flags |= DescriptorFlags::WRITE;
                }
            }
            None => flags |= DescriptorFlags::READ | DescriptorFlags::MUTATE_DIRECTORY,
        }
        Ok(flags)
    }

    fn get_type(&mut self, fd: Resource<Descriptor>) -> Result<DescriptorType> {
        // Nothing but regular files and directories is ever opened.
        Ok(match self.table.get(&fd)?.object {
            Object::File { .. } => DescriptorType::RegularFile,
            Object::Directory { .. } => DescriptorType::Directory,
        })
    }

    fn set_size(&mut self, fd: Resource<Descriptor>, size: Filesize) -> Result<()> {
        self.files.set_size(self.table.get(&fd)?, size)
    }

    fn set_times(&mut self, fd: Resource<Descriptor>, access: NewTimestamp, modification: NewTimestamp) -> Result<()> {
        self.files.set_times(self.table.get(&fd)?, access, modification)
    }

    fn read(&mut self, fd: Resource<Descriptor>, length: Filesize, offset: Filesize) -> Result<(Vec<u8>, bool)> {
        self.files.read(self.table.get(&fd)?, length, offset)
    }

    fn write(&mut self, fd: Resource<Descriptor>, buffer: Vec<u8>, offset: Filesize) -> Result<Filesize> {
        self.files.write(self.table.get(&fd)?, &buffer, offset)
    }

    fn read_directory(&mut self, fd: Resource<Descriptor>) -> Result<Resource<Listing>> {
        let listing = self.files.list(self.table.get(&fd)?)?;
        Ok(self.table.push(listing)?)
    }

    fn create_directory_at(&mut self, fd: Resource<Descriptor>, path: String) -> Result<()> {
        let place = place(self.table.get(&fd)?, &path)?;
        self.files.create_directory(&place)
    }

    fn stat(&mut self, fd: Resource<Descriptor>) -> Result<DescriptorStat> {
        let stat = self.files.stat_descriptor(self.table.get(&fd)?)?;
        Ok(super::metadata::descriptor_stat(&stat))
    }

    fn stat_at(&mut self, fd: Resource<Descriptor>, flags: PathFlags, path: String) -> Result<DescriptorStat> {
        let place = place(self.table.get(&fd)?, &path)?;
        let stat = self.files.stat(&place, follows(flags))?;
        Ok(super::metadata::descriptor_stat(&stat))
    }

    fn set_times_at(
        &mut self,
        fd: Resource<Descriptor>,
        flags: PathFlags,
        path: String,
        access: NewTimestamp,
        modification: NewTimestamp,
    ) -> Result<()> {
        let place = place(self.table.get(&fd)?, &path)?;
        self.files.set_times_at(&place, follows(flags), access, modification)
    }

    fn link_at(
        &mut self,
        _: Resource<Descriptor>,
        _: PathFlags,
        _: String,
        _: Resource<Descriptor>,
        _: String,
    ) -> Result<()> {
        // A second name would let a denied file be reached by an allowed one.
        Err(ErrorCode::NotPermitted.into())
    }

    fn open_at(
        &mut self,
        fd: Resource<Descriptor>,
        path_flags: PathFlags,
        path: String,
        open_flags: OpenFlags,
        flags: DescriptorFlags,
    ) -> Result<Resource<Descriptor>> {
        let place = place(self.table.get(&fd)?, &path)?;
        let directory = open_flags.contains(OpenFlags::DIRECTORY);
        let write = flags.contains(DescriptorFlags::WRITE);
        let create = open_flags.contains(OpenFlags::CREATE);
        let exclusive = open_flags.contains(OpenFlags::EXCLUSIVE);
        let truncate = open_flags.contains(OpenFlags::TRUNCATE);
        if directory && (create || exclusive || truncate) || place.must_be_directory && create {
            return Err(ErrorCode::Invalid.into());
        }
        if (create || truncate) && !write {
            // Both change the file system, whatever the descriptor is used for.
            self.files.check(place.root, &place.relative, super::Need::Write)?;
        }
        let open = Open {
            read: flags.contains(DescriptorFlags::READ) || !write,
            write: write || create || truncate,
            create,
            exclusive,
            truncate,
            directory: directory || place.must_be_directory,
            // A slash at the end asks for what a link leads to.
            follow: follows(path_flags) || place.must_be_directory,
        };
        // A directory cannot be opened for writing; asking for it is how some runtimes open any path.
        let open = if open.directory {
            Open { write: false, ..open }
        } else {
            open
        };
        let (opened, stat, relative) = self.files.open(&place, open)?;
        let object = if rustix::fs::FileType::from_raw_mode(stat.st_mode) == rustix::fs::FileType::Directory {
            Object::Directory {
                fd: std::sync::Mutex::new(Some(opened)),
            }
        } else {
            Object::File {
                fd: opened.into(),
                readable: flags.contains(DescriptorFlags::READ),
                writable: write,
                stamp: (&stat).into(),
            }
        };
        Ok(self.table.push(Descriptor {
            root: place.root,
            relative,
            object,
        })?)
    }

    fn readlink_at(&mut self, fd: Resource<Descriptor>, path: String) -> Result<String> {
        let place = place(self.table.get(&fd)?, &path)?;
        self.files.read_link(&place)
    }

    fn remove_directory_at(&mut self, fd: Resource<Descriptor>, path: String) -> Result<()> {
        let place = place(self.table.get(&fd)?, &path)?;
        self.files.remove_directory(&place)
    }

    fn rename_at(
        &mut self,
        fd: Resource<Descriptor>,
        old: String,
        new_fd: Resource<Descriptor>,
        new: String,
    ) -> Result<()> {
        let old = place(self.table.get(&fd)?, &old)?;
        let new = place(self.table.get(&new_fd)?, &new)?;
        self.files.rename(&old, &new)
    }

    fn symlink_at(&mut self, fd: Resource<Descriptor>, _: String, _: String) -> Result<()> {
        // Other programs on the host follow links that this sandbox would not.
        self.table.get(&fd)?;
        Err(ErrorCode::NotPermitted.into())
    }

    fn unlink_file_at(&mut self, fd: Resource<Descriptor>, path: String) -> Result<()> {
        let place = place(self.table.get(&fd)?, &path)?;
        self.files.unlink_file(&place)
    }

    fn is_same_object(&mut self, a: Resource<Descriptor>, b: Resource<Descriptor>) -> wasmtime::Result<bool> {
        let identity = |fd: &Resource<Descriptor>| {
            let stat = self.files.stat_descriptor(self.table.get(fd)?)?;
            Ok::<_, FsError>((stat.st_dev, stat.st_ino))
        };
        Ok(matches!((identity(&a), identity(&b)), (Ok(a), Ok(b)) if a == b))
    }

    fn metadata_hash(&mut self, fd: Resource<Descriptor>) -> Result<MetadataHashValue> {
        let stat = self.files.stat_descriptor(self.table.get(&fd)?)?;
        self.files.metadata_hash(&stat)
    }

    fn metadata_hash_at(
        &mut self,
        fd: Resource<Descriptor>,
        flags: PathFlags,
        path: String,
    ) -> Result<MetadataHashValue> {
        let place = place(self.table.get(&fd)?, &path)?;
        let stat = self.files.stat(&place, follows(flags))?;
        self.files.metadata_hash(&stat)
    }

    fn drop(&mut self, fd: Resource<Descriptor>) -> wasmtime::Result<()> {
        self.table.delete(fd)?;
        Ok(())
    }
}

impl CallState {
    fn output(&mut self, fd: &Resource<Descriptor>, offset: Option<u64>) -> Result<Resource<DynOutputStream>> {
        let descriptor = self.table.get(fd)?;
        let (fd, _, writable) = descriptor.file().ok_or(ErrorCode::IsDirectory)?;
        if !writable {
            return Err(ErrorCode::BadDescriptor.into());
        }
        let stream: DynOutputStream = Box::new(FileOutput {
            fd: fd.clone(),
            offset,
            budget: self.files.budget.clone(),
        });
        Ok(self.table.push(stream)?)
    }
}

impl HostDirectoryEntryStream for CallState {
    fn read_directory_entry(&mut self, stream: Resource<Listing>) -> Result<Option<DirectoryEntry>> {
        let listing = self.table.get_mut(&stream)?;
        self.files.next_entry(listing)
    }

    fn drop(&mut self, stream: Resource<Listing>) -> wasmtime::Result<()> {
        self.table.delete(stream)?;
        Ok(())
    }
}
