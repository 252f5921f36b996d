//! Finds the files, reads them in order and lays the command line over them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::discover::{PROJECT_FILES, agents_directory, project};
use super::effective::{Effective, LoadedFile, Role};
use super::file::{self, Digest, Owner};
use super::flags::Flags;
use super::key_path::KeyPath;
use super::keys::DOCUMENTED_TOOLS;
use super::layer::{Layer, whole};
use super::manifest::{self, MANIFESTS};
use super::merge::{Held, Merged};
use super::origin::Origin;
use super::problem::{ConfigErrors, Problem, Remark};
use super::trust::TrustStore;

/// Where to look, and what the command line says.
#[derive(Debug, Clone, Default)]
pub struct DiscoverOptions {
    /// The project directory; the search for `.agents` starts here.
    pub root: PathBuf,
    /// Whether the project may be a directory above `root`: the one that holds `.agents`.
    pub seek_root: bool,
    /// Files that the operator named, in order. With any, nothing else is read.
    pub config: Vec<PathBuf>,
    /// The user's own file; it need not exist.
    pub user_file: Option<PathBuf>,
    /// Where trust is kept; without it no project file is trusted.
    pub state: Option<PathBuf>,
    /// What the flags say.
    pub flags: Flags,
    /// The names of all tools, if they are known yet: names that are not among
    /// them are then reported here.
    pub tools: Option<Vec<String>>,
}

impl DiscoverOptions {
    /// The usual places around a project directory.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            user_file: crate::places::user_folder("XDG_CONFIG_HOME", ".config")
                .map(|folder| folder.join("config.toml")),
            state: crate::places::state(),
            ..Self::default()
        }
    }

    /// The same for a directory in a project: the working directory, unless somebody named one.
    pub fn within(directory: impl Into<PathBuf>) -> Self {
        Self {
            seek_root: true,
            ..Self::new(directory)
        }
    }
}

/// Loads layered configurations.
///
/// ```no_run
/// # fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use toolgate::Host;
/// use toolgate::config::{DiscoverOptions, Layers};
///
/// let effective = Layers::discover(&DiscoverOptions::new("/home/me/project"))?;
/// for remark in &effective.remarks {
///     eprintln!("{remark}");
/// }
/// let host = Host::builder().effective(effective).build()?;
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Layers {
    options: DiscoverOptions,
    trust: TrustStore,
    merged: Merged,
    effective: Effective,
    problems: Vec<Problem>,
}

impl Layers {
    /// The operator's files, the project's as far as they are trusted, and the
    /// flags, each over the one before.
    ///
    /// # Errors
    /// Everything that is wrong, in all layers.
    pub fn discover(options: &DiscoverOptions) -> Result<Effective, ConfigErrors> {
        let trust = TrustStore::open(options.state.as_deref());
        let mut layers = Self {
            options: options.clone(),
            trust,
            merged: Merged::new(),
            effective: Effective::default(),
            problems: Vec::new(),
        };
        layers.effective.remarks.extend(layers.trust.remark());
        layers.effective.root.clone_from(&options.root);
        layers.effective.enabled_tools = options.flags.enabled().map(str::to_owned).collect();
        layers.effective.unattended = options.flags.yolo;
        layers.operator();
        layers.project();
        layers.grants();
        layers.flags();
        layers.finish()
    }

    fn operator(&mut self) {
        let named = self.options.config.clone();
        self.effective.grants_file = named.last().cloned();
        for path in &named {
            self.file(path, Role::Operator);
        }
        if let Some(path) = self.options.user_file.clone() {
            if named.is_empty() && path.symlink_metadata().is_ok() {
                self.file(&path, Role::Operator);
            } else {
                // The next start may read it.
                self.effective.own_files.push(path);
            }
        }
        self.effective.own_files.extend(self.trust.file().map(Path::to_owned));
    }

    fn project(&mut self) {
        let is_read = self.options.config.is_empty();
        let directory = match agents_directory(&self.options.root) {
            Ok(Some(directory)) => directory,
            Err(problem) if is_read => return self.problems.push(problem),
            _ => return,
        };
        if self.options.seek_root {
            self.effective.root = project(&self.options.root, &directory);
        }
        for name in PROJECT_FILES {
            let path = directory.join(name);
            if is_read && path.symlink_metadata().is_ok() {
                self.file(&path, Role::Project);
            } else {
                self.effective.own_files.push(path);
            }
        }
        for name in MANIFESTS {
            self.effective.own_files.push(directory.join(name));
        }
        if is_read {
            self.problems.extend(manifest::check(&directory));
        }
        self.effective.agents_directory = Some(directory);
    }

    /// What the operator granted for this project from now on. It lies in the state directory, where
    /// no tool can reach it, and holds for no other project. A file that was named holds its own.
    fn grants(&mut self) {
        if self.effective.grants_file.is_some() {
            return;
        }
        let Some(file) = grants_file(&self.options) else { return };
        if file.symlink_metadata().is_ok() {
            self.file(&file, Role::Operator);
        }
        self.effective.grants_file = Some(file);
    }

    fn file(&mut self, path: &Path, role: Role) {
        let owner = match role {
            Role::Operator => Owner::Any,
            Role::Project => Owner::Ours,
        };
        let read = match file::read(path, owner) {
            Ok(read) => read,
            Err(reason) => return self.problems.push(whole(path, format!("cannot be read: {reason}"))),
        };
        let resolved = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        self.effective.own_files.push(path.to_owned());
        let mut layer = match Layer::file(path, &read.text) {
            Ok(layer) => layer,
            Err(problems) => return self.problems.extend(problems),
        };
        self.effective.remarks.append(&mut layer.remarks);
        let trusted = role == Role::Operator || self.trust.trusts(&resolved, read.digest);
        let (mut passed_over, mut wanted) = (Vec::new(), Vec::new());
        if trusted {
            self.merged.apply(&layer);
        } else {
            (passed_over, wanted) = self.merged.narrow(&layer);
            self.effective.remarks.extend(passed_over.iter().cloned());
        }
        self.effective.files.push(LoadedFile {
            path: resolved,
            digest: read.digest,
            role,
            trusted,
            passed_over,
            wanted,
        });
    }

    fn flags(&mut self) {
        match self.options.flags.layer() {
            Ok(layer) => self.merged.apply(&layer),
            Err(problems) => self.problems.extend(problems),
        }
    }

    fn finish(mut self) -> Result<Effective, ConfigErrors> {
        if self.problems.is_empty() {
            self.disabled();
            self.limited();
            self.enabled();
        }
        if self.problems.is_empty() {
            match self.merged.finish() {
                Ok((config, origins)) => (self.effective.config, self.effective.origins) = (config, origins),
                Err(reason) => self.problems.push(Problem {
                    origin: Origin::Default,
                    key: String::new(),
                    reason,
                }),
            }
        }
        if self.problems.is_empty() {
            Ok(self.effective)
        } else {
            Err(ConfigErrors(self.problems))
        }
    }

    /// Names to leave out must exist. Those of documented tools that this
    /// build lacks are left out already.
    fn disabled(&mut self) {
        let (Some(tools), Some(Held::Many(list))) = (
            &self.options.tools,
            self.merged.held.get_mut(&KeyPath::of("tools.disable")),
        ) else {
            return;
        };
        list.retain(|(value, origin)| {
            let name = value.as_str().unwrap_or_default();
            if tools.iter().any(|tool| tool == name) {
                return true;
            }
            let key = "tools.disable".to_owned();
            let origin = origin.clone();
            if DOCUMENTED_TOOLS.contains(&name) {
                let text = format!("there is no {name} here, so there is nothing to leave out");
                self.effective.remarks.push(Remark { origin, key, text });
            } else {
                let reason = unknown_tool(name, tools);
                self.problems.push(Problem { origin, key, reason });
            }
            false
        });
    }

    /// Output limits for tools that do not exist have no effect.
    fn limited(&mut self) {
        let Some(tools) = &self.options.tools else { return };
        let mut seen = BTreeSet::new();
        for (path, held) in &self.merged.held {
            let [_, per_tool, name, _] = path.steps() else { continue };
            let (super::key_path::Step::Key(per_tool), super::key_path::Step::Key(name)) = (per_tool, name) else {
                continue;
            };
            let Held::One(_, origin) = held else { continue };
            if per_tool == "per_tool" && !tools.contains(name) && seen.insert(name.clone()) {
                self.effective.remarks.push(Remark {
                    origin: origin.clone(),
                    key: format!("tool_output.per_tool.{name}"),
                    text: format!(
                        "there is no tool {name:?}, so the limit has no effect{}",
                        hint(name, tools)
                    ),
                });
            }
        }
    }

    fn enabled(&mut self) {
        let documented: Vec<String> = DOCUMENTED_TOOLS.iter().map(|name| (*name).to_owned()).collect();
        let tools = self.options.tools.as_ref().unwrap_or(&documented);
        // The names in plugins are known once they are loaded.
        let are_all_known =
            self.options.tools.is_some() || !self.merged.held.contains_key(&KeyPath::of("tools.plugins"));
        for name in self.options.flags.enabled() {
            let disabled = match self.merged.held.get(&KeyPath::of("tools.disable")) {
                Some(Held::Many(list)) => list.iter().find(|(value, _)| value.as_str() == Some(name)),
                _ => None,
            };
            let reason = match disabled {
                Some((_, origin)) => format!("{name:?} is left out by tools.disable ({origin}); take it out there"),
                None if !are_all_known || tools.iter().chain(&documented).any(|tool| tool == name) => continue,
                None => unknown_tool(name, tools),
            };
            self.problems.push(Problem {
                origin: Origin::Flag("--enable-tools".to_owned()),
                key: String::new(),
                reason,
            });
        }
    }
}

/// The file of lasting grants for the project around this directory, which need not exist. None
/// where a named file holds its own, or where nothing is kept.
pub(super) fn grants_file(options: &DiscoverOptions) -> Option<PathBuf> {
    let state = options.state.as_ref().filter(|_| options.config.is_empty())?;
    let root = match agents_directory(&options.root) {
        Ok(Some(directory)) if options.seek_root => project(&options.root, &directory),
        _ => options.root.clone(),
    };
    let root = root.canonicalize().ok()?;
    let digest = Digest::of(root.as_os_str().as_encoded_bytes());
    Some(state.join("grants").join(format!("{digest}.toml")))
}

fn unknown_tool(name: &str, tools: &[String]) -> String {
    format!(
        "unknown tool {name:?}; the tools are {}{}",
        tools.join(", "),
        hint(name, tools)
    )
}

fn hint(name: &str, tools: &[String]) -> String {
    crate::suggest::hint(name, tools.iter().map(String::as_str))
}
