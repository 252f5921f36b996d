//! The host: everything hangs off it, nothing is global.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use crate::builder::{BuildError, HostBuilder};
use crate::call::CallError;
use crate::catalog::{Catalog, Registered, ToolInfo};
use crate::config::{Config, Effective, Origin, Remark};
use crate::gate::{Mode, Policy};
use crate::output::CapsTable;
use crate::own_files::resolved;
use crate::sandbox::{Inspection, LoadError, Plugin, Runner, Source, unprepared};
use crate::session::store::SessionStore;
use crate::session::{Session, SessionOptions};

/// A running host. Cheap to clone; clones are the same host.
#[derive(Clone)]
pub struct Host {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) catalog: Catalog,
    pub(crate) plugins: Vec<Arc<Plugin>>,
    pub(crate) runner: Runner,
    /// What a reload swaps, in one step.
    pub(crate) settings: RwLock<Arc<Settings>>,
    /// The configuration at the start, for what only a restart can change.
    pub(crate) started_with: Config,
    pub(crate) agents: Option<PathBuf>,
    /// Nobody is asked for approvals.
    pub(crate) unattended: bool,
    pub(crate) store: Option<Arc<dyn SessionStore>>,
    /// Whether large results may become digests: they can be kept and read again.
    pub(crate) digests: bool,
    /// Descriptions for exactly this catalog, made when somebody lists tools.
    pub(crate) rendered: OnceLock<Vec<ToolInfo>>,
}

/// The part of the configuration that holds from one call to the next.
pub(crate) struct Settings {
    pub(crate) policy: Arc<Policy>,
    pub(crate) mode: Mode,
    pub(crate) unscoped: bool,
    pub(crate) own_files: Arc<[String]>,
    pub(crate) caps: CapsTable,
}

impl Host {
    /// A host to set up.
    pub fn builder() -> HostBuilder {
        HostBuilder::default()
    }

    pub(crate) fn new(inner: Inner) -> Result<Self, BuildError> {
        Ok(Self { inner: Arc::new(inner) })
    }

    /// A session with grants of its own.
    pub fn session(&self, options: SessionOptions) -> Session {
        Session::new(Arc::clone(&self.inner), options)
    }

    /// The tools, sorted by name. Their descriptions speak only of tools that
    /// are registered here.
    pub fn tools(&self) -> Vec<ToolInfo> {
        self.inner.rendered.get_or_init(|| self.inner.render()).clone()
    }

    /// The names of the tools, sorted. Unlike [`Self::tools`] this prepares nothing.
    pub fn tool_names(&self) -> Vec<String> {
        self.inner.catalog.names().map(str::to_owned).collect()
    }

    /// Whether a tool of this name is registered.
    pub fn has_tool(&self, name: &str) -> bool {
        self.inner.catalog.has(name)
    }

    /// The project directory, absolute and without symbolic links.
    pub fn root(&self) -> &Path {
        Path::new(self.inner.runner.scope.project())
    }

    /// The permission mode.
    pub fn mode(&self) -> Mode {
        self.inner.settings().mode
    }

    /// The project's `.agents` directory, if the configuration found one.
    pub fn agents_directory(&self) -> Option<&Path> {
        self.inner.agents.as_deref()
    }

    /// Puts a changed configuration in force: from the next call on its mode, rules and output
    /// limits hold, all of them or none. Grants that were given stay. Returns a remark for each
    /// changed section that takes a restart.
    ///
    /// # Errors
    /// What [`HostBuilder::build`] would say of the configuration; then nothing changes.
    pub fn reload(&self, effective: Effective) -> Result<Vec<Remark>, BuildError> {
        let config = effective.config;
        config.validate().map_err(BuildError::Config)?;
        let permissions = &config.permissions;
        let project = self.inner.runner.scope.project();
        let settings = Settings {
            policy: Arc::new(Policy::parse(&permissions.allow, &permissions.deny, project)?),
            mode: permissions.mode,
            unscoped: permissions.unscoped,
            own_files: resolved(&effective.own_files),
            caps: CapsTable::new(config.tool_output.clone()),
        };
        let mut remarks = self.inner.after_restart(&config);
        let is_elsewhere = effective.root.canonicalize().is_ok_and(|root| root != self.root());
        if is_elsewhere {
            remarks.push(restart("the project directory"));
        }
        *self.inner.settings.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
        Ok(remarks)
    }

    /// The component behind a tool.
    pub fn inspect(&self, tool: &str) -> Option<Inspection> {
        let (component, _) = self.inner.catalog.get(tool).ok()?;
        let plugin = &self.inner.plugins[component];
        let name = match plugin.source() {
            Source::Builtin(name) => (*name).to_owned(),
            Source::File(path) => path.display().to_string(),
        };
        let mut inspection = plugin.inspect(&name).ok()?;
        inspection.tools = self
            .tools()
            .into_iter()
            .filter(|info| {
                let found = self.inner.catalog.get(&info.name);
                found.is_ok_and(|(other, _)| other == component)
            })
            .collect();
        Some(inspection)
    }

    /// Compiles every component and stores the code in the cache, so that no
    /// later call waits for it.
    ///
    /// # Errors
    /// The first component that does not compile.
    pub fn warm(&self) -> Result<(), LoadError> {
        self.inner
            .plugins
            .iter()
            .try_for_each(|plugin| self.inner.runner.loader.warm(plugin))
    }

    /// Fault injection for tests: the thread that interrupts guests stops.
    #[doc(hidden)]
    pub fn inject_ticker_failure(&self) {
        self.inner.runner.loader.inject_ticker_failure();
    }
}

/// What is said of a changed part that is not taken up.
fn restart(part: &str) -> Remark {
    Remark {
        origin: Origin::Default,
        key: part.to_owned(),
        text: "it has changed; that counts after a restart".to_owned(),
    }
}

impl Inner {
    /// What holds now; a call keeps what it began with.
    pub(crate) fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.settings.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The changed sections that this host does not take up.
    fn after_restart(&self, config: &Config) -> Vec<Remark> {
        let text = |config: &Config, section: &str| {
            let whole = serde_json::to_value(config).unwrap_or_default();
            whole[section].clone()
        };
        let sections = ["path_scope", "tools", "limits", "session", "audit"];
        let changed = sections
            .into_iter()
            .filter(|section| text(config, section) != text(&self.started_with, section));
        changed.map(restart).collect()
    }

    /// A tool with its definition, which is loaded now unless it has been
    /// needed before; that can take as long as compiling a component.
    ///
    /// # Errors
    /// `not_found`, or `unavailable` if the component cannot be prepared.
    pub(crate) fn tool(&self, name: &str) -> Result<Arc<Registered>, CallError> {
        let (component, registered) = self.catalog.get(name)?;
        if let Some(registered) = registered {
            return Ok(Arc::clone(registered));
        }
        let definitions = self
            .runner
            .loader
            .definitions(&self.plugins[component], None, self.settings().mode.as_str())
            .map_err(|error| unprepared(name, &error.to_string()))?;
        let definition = definitions.into_iter().find(|definition| definition.name == name);
        let definition = definition.ok_or_else(|| unprepared(name, "its component has no tool of this name"))?;
        let registered = self.catalog.define(definition);
        registered
            .cloned()
            .map_err(|error| unprepared(name, &error.to_string()))
    }

    fn render(&self) -> Vec<ToolInfo> {
        let names: Vec<String> = self.catalog.names().map(str::to_owned).collect();
        let mode = self.settings().mode.as_str();
        let rendered: Vec<_> = self
            .plugins
            .iter()
            .map(|plugin| self.runner.loader.definitions(plugin, Some(&names), mode))
            .collect();
        names
            .iter()
            .filter_map(|name| self.tool(name).ok())
            .map(|tool| {
                let plain = &tool.definition;
                // Only words may depend on the context; a definition that changes otherwise keeps its first form.
                let spoken = match &rendered[tool.component] {
                    Ok(all) => all
                        .iter()
                        .find(|other| other.name == plain.name && other.same_contract(plain))
                        .unwrap_or(plain),
                    Err(error) => {
                        tracing::warn!(%error, "a plugin cannot describe its tools for this catalog");
                        plain
                    }
                };
                ToolInfo {
                    name: plain.name.clone(),
                    description: spoken.description.clone(),
                    input_schema: spoken.input_schema.clone(),
                    output_schema: if plain.survey && self.digests {
                        crate::output::digest::output_schema(&spoken.output_schema)
                    } else {
                        spoken.output_schema.clone()
                    },
                    class: plain.class,
                    origin: tool.origin.clone(),
                }
            })
            .collect()
    }
}
