//! The host: everything hangs off it, nothing is global.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::builder::{BuildError, HostBuilder};
use crate::catalog::{Catalog, ToolInfo};
use crate::gate::{Mode, Policy};
use crate::output::CapsTable;
use crate::sandbox::{Inspection, LoadError, Plugin, Runner, Source};
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
    pub(crate) policy: Arc<Policy>,
    pub(crate) mode: Mode,
    pub(crate) unscoped: bool,
    pub(crate) own_files: Arc<[String]>,
    pub(crate) caps: CapsTable,
    pub(crate) store: Option<Arc<dyn SessionStore>>,
    /// Whether large results may become digests: they can be kept and read again.
    pub(crate) digests: bool,
    /// Descriptions for exactly this catalog, made when somebody lists tools.
    pub(crate) rendered: OnceLock<Vec<ToolInfo>>,
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

    /// The project directory, absolute and without symbolic links.
    pub fn root(&self) -> &Path {
        Path::new(self.inner.runner.scope.project())
    }

    /// The permission mode.
    pub fn mode(&self) -> Mode {
        self.inner.mode
    }

    /// The component behind a tool.
    pub fn inspect(&self, tool: &str) -> Option<Inspection> {
        let registered = self.inner.catalog.get(tool).ok()?;
        let plugin = &self.inner.plugins[registered.component];
        let name = match plugin.source() {
            Source::Builtin(name) => (*name).to_owned(),
            Source::File(path) => path.display().to_string(),
        };
        let mut inspection = plugin.inspect(&name).ok()?;
        let component = registered.component;
        inspection.tools = self
            .tools()
            .into_iter()
            .filter(|info| {
                self.inner
                    .catalog
                    .get(&info.name)
                    .is_ok_and(|tool| tool.component == component)
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

impl Inner {
    fn render(&self) -> Vec<ToolInfo> {
        let names: Vec<String> = self.catalog.names().map(str::to_owned).collect();
        let mode = self.mode.as_str();
        let rendered: Vec<_> = self
            .plugins
            .iter()
            .map(|plugin| self.runner.loader.definitions(plugin, Some(&names), mode))
            .collect();
        self.catalog
            .iter()
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
