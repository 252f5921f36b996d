//! Setting times, with every value that a guest can send.

use rustix::fs::{AtFlags, FileType, Timespec, Timestamps, UTIME_NOW, UTIME_OMIT};

use super::call_files::{CallFiles, Need};
use super::descriptor::Descriptor;
use super::errors::FsError;
use super::place::Place;
use crate::sandbox::bindings::wasi::filesystem::types::{ErrorCode, NewTimestamp};

fn timestamps(access: NewTimestamp, modification: NewTimestamp) -> Result<Timestamps, ErrorCode> {
    let time = |new: NewTimestamp| {
        Ok(match new {
            NewTimestamp::NoChange => Timespec {
                tv_sec: 0,
                tv_nsec: UTIME_OMIT,
            },
            NewTimestamp::Now => Timespec {
                tv_sec: 0,
                tv_nsec: UTIME_NOW,
            },
            NewTimestamp::Timestamp(time) => {
                if time.nanoseconds >= 1_000_000_000 {
                    return Err(ErrorCode::Invalid);
                }
                Timespec {
                    tv_sec: i64::try_from(time.seconds).map_err(|_| ErrorCode::Overflow)?,
                    tv_nsec: i64::from(time.nanoseconds),
                }
            }
        })
    };
    Ok(Timestamps {
        last_access: time(access)?,
        last_modification: time(modification)?,
    })
}

impl CallFiles {
    pub(super) fn set_times(
        &self,
        descriptor: &Descriptor,
        access: NewTimestamp,
        modification: NewTimestamp,
    ) -> Result<(), FsError> {
        let times = timestamps(access, modification)?;
        match descriptor.file() {
            Some((fd, _, true)) => Ok(rustix::fs::futimens(fd, &times)?),
            Some(_) => Err(ErrorCode::ReadOnly.into()),
            None if descriptor.relative.is_empty() => Err(ErrorCode::NotPermitted.into()),
            None => {
                let place = Place {
                    root: descriptor.root,
                    relative: descriptor.relative.clone(),
                    must_be_directory: true,
                };
                self.set_times_named(&place, false, &times)
            }
        }
    }

    pub(super) fn set_times_at(
        &self,
        place: &Place,
        follow: bool,
        access: NewTimestamp,
        modification: NewTimestamp,
    ) -> Result<(), FsError> {
        let times = timestamps(access, modification)?;
        self.set_times_named(place, follow, &times)
    }

    fn set_times_named(&self, place: &Place, follow: bool, times: &Timestamps) -> Result<(), FsError> {
        let parent = self.parent(place.root, &place.relative, Need::Write)?;
        let (fd, stat) = self.entry(&parent)?;
        self.check_pins(&parent, &stat, ErrorCode::NoEntry)?;
        match FileType::from_raw_mode(stat.st_mode) {
            // Where it leads is for the guest to name: nothing here follows for a change.
            FileType::Symlink if follow || place.must_be_directory => return Err(ErrorCode::Loop.into()),
            FileType::Directory
                if self
                    .scope
                    .holds_mandatory(&self.absolute(parent.root, &parent.relative)) =>
            {
                return Err(ErrorCode::Access.into());
            }
            FileType::Directory | FileType::Symlink => {}
            _ if place.must_be_directory => return Err(ErrorCode::NotDirectory.into()),
            _ => self.check_links(&stat, true)?,
        }
        // By the handle, so that it is the object that was looked at.
        rustix::fs::utimensat(&fd, "", times, AtFlags::EMPTY_PATH)?;
        Ok(())
    }
}
