//! The layout of a row: files, directories, links, pipes.

use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::Deserialize;

/// One thing to create. Parent directories come into being as needed.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Step {
    /// A regular file.
    File(FileStep),
    /// A directory.
    Dir {
        /// Where.
        dir: String,
        /// Permission bits in octal, for example `0755`.
        #[serde(default)]
        mode: Option<String>,
    },
    /// A symbolic link.
    Symlink {
        /// Where the link lies.
        symlink: String,
        /// The text of the link: `W/…` and `O/…` become absolute, anything else stays as written.
        to: String,
    },
    /// A second name of an existing file.
    Hardlink {
        /// The new name.
        hardlink: String,
        /// The existing file.
        to: String,
    },
    /// A named pipe that nobody has open.
    Fifo {
        /// Where.
        fifo: String,
    },
    /// Many empty files with numbered names.
    Many {
        /// Which and how many.
        many_files: ManyFiles,
    },
}

/// A regular file: to create in a layout, to find in an `after` list. Exactly one kind of content is given.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileStep {
    /// Where.
    pub file: String,
    /// Content as text.
    #[serde(default)]
    pub text: Option<String>,
    /// Content as a text and how often it is repeated.
    #[serde(default)]
    pub repeat: Option<(String, usize)>,
    /// Content as bytes: each character, at most U+00FF, stands for the byte of its number.
    #[serde(default)]
    pub latin1: Option<String>,
    /// Content as a sequence of the above.
    #[serde(default)]
    pub parts: Option<Vec<Part>>,
    /// Permission bits in octal; 0644 for a new file when absent.
    #[serde(default)]
    pub mode: Option<String>,
    /// Time of last modification.
    #[serde(default)]
    pub mtime: Option<Mtime>,
}

/// One stretch of a file's content.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Text as written.
    Text(String),
    /// A text repeated so many times.
    Repeat(String, usize),
    /// Bytes, one per character up to U+00FF.
    Latin1(String),
}

/// A point in time.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mtime {
    /// Whole seconds since 1970-01-01T00:00:00Z.
    pub unix_seconds: u64,
    /// Nanoseconds on top, below one thousand million.
    #[serde(default)]
    pub nanos: u32,
}

/// Empty files `<dir>/<prefix>000`, `<dir>/<prefix>001` and so on, in byte order of their numbers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManyFiles {
    /// The directory they lie in.
    pub dir: String,
    /// What each name begins with.
    pub prefix: String,
    /// How many, at most 1000, so that three digits suffice.
    pub count: usize,
}

impl FileStep {
    /// The bytes of the file; an error when none or more than one kind of content is given.
    pub fn content(&self) -> Result<Vec<u8>, String> {
        let mut given = Vec::new();
        given.extend(self.text.clone().map(|text| vec![Part::Text(text)]));
        given.extend(self.repeat.clone().map(|(text, times)| vec![Part::Repeat(text, times)]));
        given.extend(self.latin1.clone().map(|text| vec![Part::Latin1(text)]));
        given.extend(self.parts.clone());
        match given.as_slice() {
            [parts] => Ok(parts.iter().map(Part::bytes).collect::<Result<Vec<_>, _>>()?.concat()),
            _ => Err(format!(
                "{}: give exactly one of text, repeat, latin1 and parts",
                self.file
            )),
        }
    }
}

impl Part {
    fn bytes(&self) -> Result<Vec<u8>, String> {
        match self {
            Self::Text(text) => Ok(text.clone().into_bytes()),
            Self::Repeat(text, times) => Ok(text.repeat(*times).into_bytes()),
            Self::Latin1(text) => text
                .chars()
                .map(|c| u8::try_from(c).map_err(|_| format!("{c:?} is above U+00FF and no single byte")))
                .collect(),
        }
    }
}

impl Mtime {
    /// Sets the modification time of `path`.
    pub(super) fn apply(self, path: &Path) -> std::io::Result<()> {
        let time = SystemTime::UNIX_EPOCH + Duration::new(self.unix_seconds, self.nanos);
        std::fs::File::options().write(true).open(path)?.set_modified(time)
    }
}
