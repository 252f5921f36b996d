//! Notices changes of the files, and swaps the configuration in one step.
//! Called by whoever owns the host, about once a second; it starts no thread of its own.
//! Must not touch: the host. A broken file leaves everything as it was.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use super::effective::Effective;
use super::file::{self, Digest, Owner};
use super::layers::{DiscoverOptions, Layers};
use super::problem::ConfigErrors;

/// Within this time of a change another one may leave the same time and size.
const SETTLED: Duration = Duration::from_secs(2);

/// The configuration of the moment; clones see the same.
#[derive(Debug, Clone)]
pub struct Current(Arc<RwLock<Arc<Effective>>>);

impl Current {
    /// The configuration in force now. Whoever holds it keeps it through later changes.
    pub fn get(&self) -> Arc<Effective> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn swap(&self, effective: Arc<Effective>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = effective;
    }
}

/// What one look found.
#[derive(Debug)]
pub enum Poll {
    /// Nothing has changed.
    Unchanged,
    /// This is in force now.
    Reloaded(Arc<Effective>),
    /// The files cannot be used as they are; what was in force stays. Said once for each state of the files.
    Broken(ConfigErrors),
}

/// What tells one state of a file from another.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    path: PathBuf,
    /// Device, inode, size, change of content and of attributes; `None` if there is no file.
    metadata: Option<(u64, u64, u64, i64, i64, i64, i64)>,
    digest: Option<Digest>,
}

/// Looks at the files of a configuration.
#[derive(Debug)]
pub struct Watcher {
    options: DiscoverOptions,
    current: Current,
    stamps: Vec<Stamp>,
}

impl Watcher {
    /// Loads, and remembers the state of every file that has or would have a say.
    ///
    /// # Errors
    /// As [`Layers::discover`].
    pub fn new(options: DiscoverOptions) -> Result<Self, ConfigErrors> {
        // Before loading, so that a change in between is found by the first look.
        let stamps = stamps(&places(&options), &[]);
        let effective = Layers::discover(&options)?;
        Ok(Self {
            options,
            current: Current(Arc::new(RwLock::new(Arc::new(effective)))),
            stamps,
        })
    }

    /// Where others find the configuration in force.
    pub fn current(&self) -> Current {
        self.current.clone()
    }

    /// Looks once; reads a file only if its metadata has changed or did so just now.
    pub fn poll(&mut self) -> Poll {
        let stamps = stamps(&places(&self.options), &self.stamps);
        let same = agree(&stamps, &self.stamps) && agree(&self.stamps, &stamps);
        self.stamps = stamps;
        if same { Poll::Unchanged } else { self.load() }
    }

    /// Loads again, changed or not.
    pub fn reload(&mut self) -> Poll {
        self.stamps = stamps(&places(&self.options), &[]);
        self.load()
    }

    fn load(&mut self) -> Poll {
        match Layers::discover(&self.options) {
            Ok(effective) => {
                let effective = Arc::new(effective);
                self.current.swap(Arc::clone(&effective));
                Poll::Reloaded(effective)
            }
            Err(errors) => Poll::Broken(errors),
        }
    }
}

/// Every file that has or would have a say.
fn places(options: &DiscoverOptions) -> Vec<PathBuf> {
    let mut all = options.config.clone();
    if options.config.is_empty() {
        all.extend(options.user_file.clone());
        if let Ok(Some(directory)) = super::agents_directory(&options.root) {
            let names = super::PROJECT_FILES.iter().chain(&super::manifest::MANIFESTS);
            all.extend(names.map(|name| directory.join(name)));
        }
    }
    all.extend(options.state.as_ref().map(|state| state.join("trust.json")));
    all.extend(super::layers::grants_file(options));
    all
}

/// Whether every file of one list is in the same state in the other; a file that is not there needs no entry.
fn agree(these: &[Stamp], those: &[Stamp]) -> bool {
    these.iter().all(|this| {
        let that = those.iter().find(|that| that.path == this.path);
        that.and_then(|that| that.digest) == this.digest
    })
}

fn stamps(places: &[PathBuf], before: &[Stamp]) -> Vec<Stamp> {
    let earlier = |path: &Path| before.iter().find(|stamp| stamp.path == path);
    places.iter().map(|path| stamp(path, earlier(path))).collect()
}

fn stamp(path: &Path, before: Option<&Stamp>) -> Stamp {
    let found = path.metadata().ok();
    let is_settled = found
        .as_ref()
        .and_then(|found| found.modified().ok())
        .is_some_and(|modified| {
            SystemTime::now()
                .duration_since(modified)
                .is_ok_and(|age| age > SETTLED)
        });
    let metadata = found.map(|found| {
        let (dev, ino, size) = (found.dev(), found.ino(), found.size());
        (
            dev,
            ino,
            size,
            found.mtime(),
            found.mtime_nsec(),
            found.ctime(),
            found.ctime_nsec(),
        )
    });
    let digest = match before {
        Some(before) if is_settled && before.metadata == metadata => before.digest,
        // What cannot be read counts as one state.
        _ => file::read(path, Owner::Any).ok().map(|read| read.digest),
    };
    Stamp {
        path: path.to_owned(),
        metadata,
        digest,
    }
}
