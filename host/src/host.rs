//! The host: everything hangs off it, nothing is global.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use crate::audit::{Audit, AuditError};
use crate::builder::{BuildError, HostBuilder};
use crate::call::CallError;
use crate::catalog::{Catalog, Registered, ToolInfo};
use crate::config::PlanMode;
use crate::gate::{Always, GrantStore, Mode};
use crate::sandbox::{Alerts, Egress, Inspection, LoadError, Plugin, Runner, Source, Told, unprepared};
use crate::session::plans::Plans;
use crate::session::store::SessionStore;
use crate::session::{Session, SessionOptions};
use crate::settings::Settings;

/// A running host. Cheap to clone; clones are the same host.
#[derive(Clone)]
pub struct Host {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) catalog: Catalog,
    pub(crate) plugins: Vec<Arc<Plugin>>,
    pub(crate) runner: Runner,
    /// What a reload replaces.
    pub(crate) settings: RwLock<Arc<Settings>>,
    /// How the host was set up, for reloads.
    pub(crate) builder: HostBuilder,
    /// Lasting grants that were kept while the host runs.
    pub(crate) always: Arc<Always>,
    /// Where lasting grants are kept.
    pub(crate) grant_store: Option<Arc<dyn GrantStore>>,
    pub(crate) store: Option<Arc<dyn SessionStore>>,
    /// Where calls are recorded, if they are.
    pub(crate) audit: Option<Audit>,
    /// Whether large results may become digests: they can be kept and read again.
    pub(crate) digests: bool,
    /// What requests go through.
    pub(crate) egress: Arc<Egress>,
    /// Where alerts can go.
    pub(crate) alerts: Arc<Alerts>,
    pub(crate) plans: Arc<Plans>,
    /// Descriptions for exactly this catalog, made when somebody lists tools.
    pub(crate) rendered: RwLock<Option<Vec<ToolInfo>>>,
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
        let rendered = self
            .inner
            .rendered
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        rendered.unwrap_or_else(|| {
            let made = self.inner.render();
            *self.inner.rendered.write().unwrap_or_else(PoisonError::into_inner) = Some(made.clone());
            made
        })
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
    pub fn root(&self) -> PathBuf {
        PathBuf::from(self.inner.settings().posture.scope.project())
    }

    /// The project's `.agents` directory, if the configuration found one.
    pub fn agents_directory(&self) -> Option<&Path> {
        self.inner.builder.agents.as_deref()
    }

    /// The permission mode.
    pub fn mode(&self) -> Mode {
        self.inner.settings().posture.mode
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

    /// Waits until the records of all calls so far are in the audit log, for at most this long.
    /// Dropping the last clone of a host does the same; a program that ends otherwise calls this.
    ///
    /// # Errors
    /// Why they are not. They are written when that is possible, as long as the host lives.
    pub fn flush_audit(&self, most: Duration) -> Result<(), AuditError> {
        self.inner.audit.as_ref().map_or(Ok(()), |audit| audit.flush(most))
    }

    /// Fault injection for tests: the thread that interrupts guests stops.
    #[doc(hidden)]
    pub fn inject_ticker_failure(&self) {
        self.inner.runner.loader.inject_ticker_failure();
    }
}

impl Inner {
    /// What calls are held to now.
    pub(crate) fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.settings.read().unwrap_or_else(PoisonError::into_inner))
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
            .definitions(
                &self.plugins[component],
                Told {
                    tools: None,
                    mode: self.settings().posture.mode.as_str(),
                    channels: &[],
                },
            )
            .map_err(|error| unprepared(name, &error.to_string()))?;
        let definition = definitions.into_iter().find(|definition| definition.name == name);
        let definition = definition.ok_or_else(|| unprepared(name, "its component has no tool of this name"))?;
        let registered = self.catalog.define(definition);
        registered
            .cloned()
            .map_err(|error| unprepared(name, &error.to_string()))
    }

    /// The permission mode as descriptions hear of it: with the plan mode, where there is one.
    fn spoken_mode(&self) -> String {
        let mode = self.settings().posture.mode;
        match self.plans.mode() {
            PlanMode::Off => mode.to_string(),
            plan => format!("{mode} plan={}", plan.as_str()),
        }
    }

    fn render(&self) -> Vec<ToolInfo> {
        let names: Vec<String> = self.catalog.names().map(str::to_owned).collect();
        let mode = self.spoken_mode();
        let channels = self.alerts.channels();
        let channels: Vec<_> = channels
            .map(|(name, description)| (name.to_owned(), description.to_owned()))
            .collect();
        let told = Told {
            tools: Some(&names),
            mode: &mode,
            channels: &channels,
        };
        let rendered: Vec<_> = self
            .plugins
            .iter()
            .map(|plugin| self.runner.loader.definitions(plugin, told))
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
