//! What the host grants one call.

use crate::Error;
use crate::bindings::exports::toolgate::plugin::tool;
use crate::channels::Channel;
use crate::fetch::GrantedUrl;
use crate::fs::{self, GrantedPath};

/// Output limits in force for a call; 0 means unlimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// Bytes of output.
    pub max_bytes: usize,
    /// Lines, entries or matches of output.
    pub max_lines: usize,
}

impl Caps {
    /// `max_bytes`, or the largest number if there is no limit.
    pub fn bytes(self) -> usize {
        if self.max_bytes == 0 {
            usize::MAX
        } else {
            self.max_bytes
        }
    }

    /// `max_lines`, or the largest number if there is no limit.
    pub fn lines(self) -> usize {
        if self.max_lines == 0 {
            usize::MAX
        } else {
            self.max_lines
        }
    }
}

/// One path that an argument named and the call did not get.
#[derive(Debug, Clone)]
pub struct Refused<'call> {
    /// Where in the argument it stood, if that is a list; otherwise 0.
    pub position: usize,
    /// The path, as far as it may be told.
    pub path: &'call str,
    /// Why it was refused.
    pub error: Error,
}

/// The grant of one call: the paths it may reach and the limits of its output.
#[derive(Debug)]
pub struct Call {
    grant: tool::Grant,
}

impl Call {
    pub(crate) fn new(grant: tool::Grant) -> Self {
        Self { grant }
    }

    /// The output limits in force.
    pub fn caps(&self) -> Caps {
        let number = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
        Caps {
            max_bytes: number(self.grant.caps.max_bytes),
            max_lines: number(self.grant.caps.max_lines),
        }
    }

    /// The path that the argument `argument` names.
    ///
    /// # Errors
    ///
    /// The definition declares no access for this argument, or the argument was optional, has no
    /// default and was not given.
    pub fn path(&self, argument: &str) -> Result<GrantedPath<'_>, Error> {
        self.paths(argument)?
            .into_iter()
            .next()
            .ok_or_else(|| Error::failed(format!("the host granted no path for the argument `{argument}`")))
    }

    /// The paths that the argument `argument` names, for an argument that is a list.
    ///
    /// # Errors
    ///
    /// The host granted a path below a directory that it did not hand over.
    pub fn paths(&self, argument: &str) -> Result<Vec<GrantedPath<'_>>, Error> {
        fs::granted(self.grant.paths.iter().filter(|path| path.argument == argument))
    }

    /// The URL that the argument `argument` names.
    ///
    /// # Errors
    ///
    /// The definition declares no access for this argument, or the argument was not given.
    pub fn url(&self, argument: &str) -> Result<GrantedUrl<'_>, Error> {
        self.urls(argument)
            .next()
            .ok_or_else(|| Error::failed(format!("the host granted no URL for the argument `{argument}`")))
    }

    /// The URLs that the argument `argument` names, for an argument that is a list.
    pub fn urls(&self, argument: &str) -> impl Iterator<Item = GrantedUrl<'_>> {
        let urls = self.grant.urls.iter().enumerate();
        urls.filter(move |(_, granted)| granted.argument == argument)
            .map(|(number, granted)| GrantedUrl::new(number as u32, &granted.url))
    }

    /// The channel that the argument `argument` names.
    ///
    /// # Errors
    ///
    /// The definition declares no access for this argument, or the argument was not given.
    pub fn channel(&self, argument: &str) -> Result<Channel<'_>, Error> {
        let mut channels = self.grant.channels.iter();
        let granted = channels.find(|granted| granted.argument == argument);
        granted
            .map(Channel::new)
            .ok_or_else(|| Error::failed(format!("the host granted no channel for the argument `{argument}`")))
    }

    /// The paths of a lenient access that were not granted.
    pub fn refused(&self, argument: &str) -> Vec<Refused<'_>> {
        self.grant
            .refused
            .iter()
            .filter(|path| path.argument == argument)
            .map(|path| Refused {
                position: path.position as usize,
                path: &path.path,
                error: Error::new(path.error.kind, path.error.message.clone()),
            })
            .collect()
    }
}
