//! Setting up a host.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use crate::audit::{Audit, AuditError, AuditOptions};
use crate::catalog::{Catalog, CatalogError};
use crate::config::{Config, DOCUMENTED_TOOLS, Effective, Origin, Origins, StoreKind};
use crate::directories::{Directories, absolute, probe};
use crate::gate::{GrantStore, Mode, RuleError};
use crate::host::{Host, Inner};
use crate::kept_grants::KeptGrants;
use crate::own_files::resolved;
use crate::places;
use crate::sandbox::cache::Cache;
use crate::sandbox::{
    Alerts, Compiler, LoadError, Loader, NetworkBounds, Plugin, Resolve, Runner, Sandbox, Source, Told, Variables,
};
use crate::scope::{Access, PathScope, ScopeError};
use crate::session::plans::Plans;
use crate::session::store::{LazyStore, SessionStore, SqliteStore, StoreError};
use crate::settings::{Opened, Settings};

/// A host that cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The configuration contradicts itself.
    #[error("configuration: {0}")]
    Config(String),
    /// A path scope entry or the root.
    #[error(transparent)]
    Scope(#[from] ScopeError),
    /// An allow or deny rule.
    #[error("permissions: {0}")]
    Rule(#[from] RuleError),
    /// A component.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The set of tools.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// The store of sessions.
    #[error("the session store: {0}")]
    Store(#[from] StoreError),
    /// The audit log.
    #[error("the audit log: {0}")]
    Audit(#[from] AuditError),
    /// The system does not offer what the sandbox needs.
    #[error("the sandbox cannot start: {0}")]
    Sandbox(String),
}

/// Collects what a [`Host`] needs. Everything has a default but the root,
/// which is the working directory unless set.
#[derive(Default, Clone)]
pub struct HostBuilder {
    root: Option<PathBuf>,
    mode: Option<Mode>,
    pub(crate) config: Config,
    origins: Origins,
    pub(crate) agents: Option<PathBuf>,
    enabled_tools: Vec<String>,
    pub(crate) unattended: bool,
    plugins: Vec<PathBuf>,
    cache: Option<PathBuf>,
    state: Option<PathBuf>,
    own_files: Vec<PathBuf>,
    compiler: Option<Compiler>,
    store: Option<Arc<dyn SessionStore>>,
    grant_store: Option<Arc<dyn GrantStore>>,
    resolver: Option<Arc<dyn Resolve>>,
    variables: Option<Variables>,
}

impl HostBuilder {
    /// The project directory: in scope, and what relative paths refer to.
    #[must_use]
    pub fn root(mut self, root: impl Into<PathBuf>) -> Self {
        self.root = Some(root.into());
        self
    }

    /// The permission mode; wins over the configuration.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = Some(mode);
        self
    }

    /// The configuration.
    #[must_use]
    pub fn config(mut self, config: Config) -> Self {
        self.config = config;
        self
    }

    /// The configuration of layered files and flags, with all that came with it: the project
    /// directory unless [`Self::root`] has set one, the files whose change takes a fresh approval,
    /// the project's `.agents` directory and the origin of each value.
    #[must_use]
    pub fn effective(mut self, effective: Effective) -> Self {
        if self.root.is_none() && !effective.root.as_os_str().is_empty() {
            self.root = Some(effective.root);
        }
        self.config = effective.config;
        self.origins = effective.origins;
        self.own_files.extend(effective.own_files);
        self.agents = effective.agents_directory;
        self.enabled_tools = effective.enabled_tools;
        self.unattended = effective.unattended;
        if let Some(file) = effective.grants_file {
            self.grant_store.get_or_insert_with(|| Arc::new(KeptGrants::new(file)));
        }
        self
    }

    /// A file that the configuration came from: changing it takes a fresh
    /// approval in every mode.
    #[must_use]
    pub fn own_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.own_files.push(file.into());
        self
    }

    /// A component to load besides the built-in tools.
    #[must_use]
    pub fn plugin(mut self, file: impl Into<PathBuf>) -> Self {
        self.plugins.push(file.into());
        self
    }

    /// Where compiled components are kept; `$XDG_CACHE_HOME/toolgate` unless set.
    #[must_use]
    pub fn cache_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.cache = Some(directory.into());
        self
    }

    /// Where the host keeps its own state; `$XDG_STATE_HOME/toolgate` unless set.
    #[must_use]
    pub fn state_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.state = Some(directory.into());
        self
    }

    /// The agents directory: plans are written to `plans` in it, where
    /// `permissions.plan_mode` says so. `.agents` in the root unless set, if
    /// that is a directory and no link to one.
    #[must_use]
    pub fn agents_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.agents = Some(directory.into());
        self
    }

    /// A program that compiles plugins in a process of its own; without one
    /// they are compiled in this process.
    #[must_use]
    pub fn compiler(mut self, compiler: Compiler) -> Self {
        self.compiler = Some(compiler);
        self
    }

    /// Where sessions keep what outlives a call, instead of what
    /// `session.store` says.
    #[must_use]
    pub fn store(mut self, store: Arc<dyn SessionStore>) -> Self {
        self.store = Some(store);
        self
    }

    /// Where grants are kept that outlive a session, instead of the file of
    /// [`Self::effective`]; without either they end with the session they were given in.
    #[must_use]
    pub fn grant_store(mut self, store: Arc<dyn GrantStore>) -> Self {
        self.grant_store = Some(store);
        self
    }

    /// Who turns names into addresses, instead of the name servers of the configuration or the
    /// system. What it answers is vetted like any other answer.
    #[must_use]
    pub fn resolver(mut self, resolver: Arc<dyn Resolve>) -> Self {
        self.resolver = Some(resolver);
        self
    }

    /// Where the configuration's secrets are looked up by name, instead of the environment of this
    /// process: for the headers of `url_scope.headers` and the targets of alerts, at each use.
    #[must_use]
    pub fn variables(mut self, lookup: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        self.variables = Some(Arc::new(lookup));
        self
    }

    fn lookup(&self) -> Variables {
        let variables = self.variables.clone();
        variables.unwrap_or_else(|| Arc::new(|name: &str| std::env::var(name).ok()))
    }

    /// Opens the scope, loads the components and starts the sandbox.
    ///
    /// # Errors
    /// See [`BuildError`]; nothing keeps running then.
    pub fn build(self) -> Result<Host, BuildError> {
        let directories = Directories::new(self.cache.clone(), self.state.clone());
        let scope = self.scope(&directories)?;
        let sandbox =
            Sandbox::new(self.config.limits.concurrency).map_err(|error| BuildError::Sandbox(format!("{error:#}")))?;
        let cache = match (&directories.cache, &directories.state) {
            (Some(cache), Some(state)) => Cache::open(cache, state),
            _ => None,
        };
        let loader = Loader::new(Arc::new(sandbox), cache, self.compiler.clone())
            .map_err(|error| BuildError::Sandbox(format!("{error:#}")))?;
        let builtins = self.config.tools.use_builtin.then(Loader::builtins);
        let mut plugins: Vec<_> = builtins.into_iter().flatten().collect();
        for file in self.config.tools.plugins.iter().chain(&self.plugins) {
            plugins.push(Loader::open(file)?);
        }
        let mode = self.in_mode();
        let mut catalog = Catalog::default();
        for (number, plugin) in plugins.iter().enumerate() {
            // A built-in component holds the one tool that it is named after. Compiling all of them to
            // ask would take seconds where nothing is cached yet.
            if let Source::Builtin(name) = plugin.source() {
                catalog.announce(name, plugin.source().origin(), number)?;
                continue;
            }
            let told = Told {
                tools: None,
                mode: mode.as_str(),
                channels: &[],
            };
            for definition in loader.definitions(plugin, told)? {
                let registered = catalog.register(definition, plugin.source().origin(), number);
                registered.map_err(|error| match error {
                    CatalogError::Schema { .. } => BuildError::Load(LoadError {
                        plugin: plugin.label(),
                        reason: error.to_string(),
                    }),
                    other => other.into(),
                })?;
            }
        }
        self.select(&mut catalog)?;
        let store = self.kept_in(&directories)?;
        // A digest that cannot be undone would lose what it leaves out.
        let digests = store.is_some() && self.config.tool_output.digest && catalog.has("retrieve_raw");
        // Tools that only make sense where something is kept between calls.
        if store.is_none() {
            catalog.leave_out("todo");
        }
        if !digests {
            catalog.leave_out("retrieve_raw");
        }
        let (alerts, remarks) = Alerts::new(&self.config.alerts, &self.lookup());
        for remark in remarks {
            tracing::warn!("alerts: {remark}");
        }
        let alerts = Arc::new(alerts);
        if alerts.is_empty() {
            catalog.leave_out("alert");
        }
        if self.config.url_scope.allow.is_empty() {
            catalog.leave_out("fetch_url");
        }
        let plan_mode = self.config.permissions.plan_mode();
        let plans = Plans::set_up(
            plan_mode,
            self.agents.as_deref(),
            Path::new(scope.project()),
            &mut catalog,
        )
        .map_err(BuildError::Config)?;
        let names: Arc<BTreeSet<String>> = Arc::new(catalog.names().map(str::to_owned).collect());
        let settings = self.settings_over(scope, Arc::clone(&names), alerts.names())?;
        for remark in settings
            .posture
            .policy
            .remarks(&catalog.names().collect::<Vec<_>>(), DOCUMENTED_TOOLS)
        {
            tracing::warn!("permissions: {remark}");
        }
        self.remark_on_network(&names, &plugins, &catalog);
        let audit = self.audit(&directories)?;
        let runner = Runner::new(loader, directories.pending(), names);
        Host::new(Inner {
            catalog,
            plugins: plugins.into_iter().map(Arc::new).collect(),
            settings: RwLock::new(Arc::new(settings)),
            always: Arc::default(),
            grant_store: self.grant_store.clone(),
            store,
            audit,
            digests,
            egress: Arc::default(),
            alerts,
            plans: Arc::new(plans),
            runner,
            rendered: RwLock::default(),
            builder: self,
        })
    }

    /// The part of this configuration that a running host can change.
    ///
    /// # Errors
    /// See [`BuildError`].
    pub(crate) fn settings(
        &self,
        names: Arc<BTreeSet<String>>,
        channels: Arc<[String]>,
    ) -> Result<Settings, BuildError> {
        let directories = Directories::new(self.cache.clone(), self.state.clone());
        self.settings_over(self.scope(&directories)?, names, channels)
    }

    /// What looks like a mistake in what tools may reach.
    fn remark_on_network(&self, names: &BTreeSet<String>, plugins: &[Plugin], catalog: &Catalog) {
        for tool in self.config.tools.network.keys().filter(|tool| !names.contains(*tool)) {
            let hint = crate::suggest::hint(tool, names.iter().map(String::as_str));
            tracing::warn!("tools.network: there is no tool {tool:?}{hint}");
        }
        if !self.config.url_scope.proxy.is_empty() {
            tracing::info!(
                "url_scope.proxy: the proxy resolves names, so the addresses behind them are not vetted by this host"
            );
        }
        for (number, plugin) in plugins.iter().enumerate() {
            let tools: Vec<&str> = catalog.of_component(number).collect();
            let granted = tools.iter().any(|tool| self.config.tools.network.contains_key(*tool));
            if plugin.asks_for_http && !granted {
                tracing::info!(
                    "{}: it can send requests only to URLs in arguments that it declares; for others, grant its tools \
                     ({}) hosts in tools.network",
                    plugin.label(),
                    tools.join(", ")
                );
            }
        }
    }

    fn in_mode(&self) -> Mode {
        self.mode.unwrap_or(self.config.permissions.mode)
    }

    fn settings_over(
        &self,
        scope: PathScope,
        names: Arc<BTreeSet<String>>,
        channels: Arc<[String]>,
    ) -> Result<Settings, BuildError> {
        let network =
            NetworkBounds::new(&self.config, self.resolver.clone(), self.lookup()).map_err(BuildError::Config)?;
        let own_files = resolved(&self.own_files);
        let origins = Arc::new(self.origins.clone());
        let origins = crate::gate::Origins::new(move |key| match origins.of(key) {
            Origin::Default => None,
            origin => Some(origin.to_string()),
        });
        let opened = Opened {
            scope: Arc::new(scope),
            own_files,
            tools: names,
            origins,
            network: Arc::new(network),
            channels,
        };
        Ok(Settings::new(&self.config, self.in_mode(), opened)?)
    }

    /// The log of this host; nothing of it is made before the first call.
    fn audit(&self, directories: &Directories) -> Result<Option<Audit>, AuditError> {
        let config = self.config.audit;
        if !config.enabled {
            tracing::info!("calls are not recorded: audit.enabled is false");
            return Ok(None);
        }
        let Some(state) = &directories.state else {
            tracing::warn!("there is no state directory: calls are not recorded");
            return Ok(None);
        };
        let options = AuditOptions {
            config,
            ..AuditOptions::new(places::audit(state))
        };
        Audit::open(options).map(Some)
    }

    /// Leaves out what the configuration leaves out; every name must mean something.
    fn select(&self, catalog: &mut Catalog) -> Result<(), BuildError> {
        let known = |name: &str, origin: &Origin| {
            // A documented tool that is not here is left out already.
            if catalog.has(name) || DOCUMENTED_TOOLS.contains(&name) {
                return Ok(());
            }
            Err(CatalogError::Unknown {
                origin: match origin {
                    Origin::Default => "tools.disable".to_owned(),
                    origin => origin.to_string(),
                },
                tool: name.to_owned(),
                known: catalog.names().collect::<Vec<_>>().join(", "),
                hint: crate::suggest::hint(name, catalog.names()),
            })
        };
        let disabled = &self.config.tools.disable;
        for (index, name) in disabled.iter().enumerate() {
            known(name, self.origins.of(&format!("tools.disable[{index}]")))?;
        }
        for name in &self.enabled_tools {
            known(name, &Origin::Flag("--enable-tools".to_owned()))?;
        }
        disabled.iter().for_each(|name| catalog.leave_out(name));
        Ok(())
    }

    fn kept_in(&self, directories: &Directories) -> Result<Option<Arc<dyn SessionStore>>, BuildError> {
        if let Some(store) = &self.store {
            return Ok(Some(Arc::clone(store)));
        }
        let session = self.config.session;
        Ok(match (session.store, &directories.state) {
            (StoreKind::Off, _) => None,
            (StoreKind::Disk, Some(state)) => {
                let ttl = Duration::from_secs(u64::from(session.ttl_days) * 86_400);
                Some(Arc::new(LazyStore::new(state.join("sessions"), ttl)))
            }
            (StoreKind::Disk, None) => {
                tracing::warn!("there is no state directory: what sessions keep ends with this process");
                Some(Arc::new(SqliteStore::in_memory()?))
            }
            (StoreKind::Memory, _) => Some(Arc::new(SqliteStore::in_memory()?)),
        })
    }

    /// The scope of a valid configuration, on a system that can hold to it.
    fn scope(&self, directories: &Directories) -> Result<PathScope, BuildError> {
        self.config.validate().map_err(BuildError::Config)?;
        let home = std::env::home_dir().and_then(|path| path.into_os_string().into_string().ok());
        let root = match &self.root {
            Some(root) => absolute(root)?,
            None => absolute(Path::new("."))?,
        };
        let config = &self.config.path_scope;
        let mut builder = PathScope::builder(root)
            .home(home)
            .filesystem_root(self.config.permissions.allow_filesystem_root)
            .deny(config.deny.iter().cloned())
            .lift(config.lift.iter().map(|class| class.name()));
        for pattern in &config.allow {
            builder = builder.allow(pattern.clone(), Access::READ_WRITE);
        }
        for entry in &config.allow_paths {
            let access = entry.parsed_access().map_err(BuildError::Config)?;
            builder = builder.allow(entry.path.clone(), access);
        }
        // The host's own state is never part of a scope, even when a root contains it.
        let own = [&directories.cache, &directories.state];
        let own = own.into_iter().flatten().filter_map(|path| path.to_str());
        builder = builder.deny_own(own.map(str::to_owned));
        let scope = builder.build()?;
        probe(&scope)?;
        Ok(scope)
    }
}
