//! Loading: built-in or from a file, one path for both.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use sha2::{Digest, Sha256};
use wasmtime::component::{Component, Linker};

use super::cache::{Cache, EntryKey};
use super::compiler::Compiler;
use super::definitions::Told;
use super::engine::Sandbox;
use super::state::{CallState, Ready};
use crate::catalog::{Definition, Origin};

/// How long a component may take to say what its tools are.
const DEFINITIONS_DEADLINE: Duration = Duration::from_secs(5);
/// Most tools in one component.
const MAX_TOOLS: usize = 256;

/// A component that cannot be loaded. None of its code has run, except to
/// give definitions where those are what is refused.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{plugin}: {reason}")]
pub struct LoadError {
    /// The file, or the name of the built-in.
    pub plugin: String,
    /// What is wrong, and what would work.
    pub reason: String,
}

struct Builtin {
    name: &'static str,
    bytes: &'static [u8],
    digest: [u8; 32],
}

include!(concat!(env!("OUT_DIR"), "/builtins.rs"));

/// Where a component comes from.
#[derive(Debug, Clone)]
pub enum Source {
    /// Embedded, by name.
    Builtin(&'static str),
    /// A file.
    File(PathBuf),
}

impl Source {
    /// The same for the catalog.
    pub fn origin(&self) -> Origin {
        match self {
            Self::Builtin(_) => Origin::Builtin,
            Self::File(path) => Origin::Plugin(path.clone()),
        }
    }

    fn label(&self) -> String {
        match self {
            Self::Builtin(name) => (*name).to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }
}

/// A loaded component. Compiled code is made or fetched when it is first needed.
pub struct Plugin {
    pub(super) source: Source,
    pub(super) bytes: Cow<'static, [u8]>,
    pub(super) digest: [u8; 32],
    /// Under which name it keeps state.
    space: Arc<str>,
    /// Whether it imports `wasi:http`, with or without need.
    pub(crate) asks_for_http: bool,
    ready: OnceLock<Ready>,
}

impl Plugin {
    /// The name under which it keeps state: its origin, so that no other
    /// plugin shares it and a new version of the same file does.
    pub(crate) fn space(&self) -> &Arc<str> {
        &self.space
    }

    /// Whether it is the one component that may record plans: a plugin that
    /// could would open the way for itself.
    pub(crate) fn records_plans(&self) -> bool {
        matches!(self.source, Source::Builtin("record_plan"))
    }

    /// The file, or the name of the built-in.
    pub(crate) fn label(&self) -> String {
        self.source.label()
    }

    /// Where it comes from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The compiled and linked form, if it is there already.
    pub(super) fn prepared(&self) -> Option<&Ready> {
        self.ready.get()
    }

    /// What it is; runs none of it.
    ///
    /// # Errors
    /// It is no component.
    pub fn inspect(&self, name: &str) -> Result<super::Inspection, String> {
        super::inspect_bytes(name, self.source.origin(), &self.bytes)
    }
}

/// Loads components into one sandbox.
pub struct Loader {
    pub(super) sandbox: Arc<Sandbox>,
    cache: Option<Cache>,
    compiler: Option<Compiler>,
    linker: Linker<CallState>,
    engine: [u8; 32],
}

impl Loader {
    /// A loader with everything linked that a component can be granted.
    ///
    /// # Errors
    /// An interface cannot be linked; a fault of this program.
    pub fn new(sandbox: Arc<Sandbox>, cache: Option<Cache>, compiler: Option<Compiler>) -> wasmtime::Result<Self> {
        let mut linker = Linker::new(&sandbox.engine);
        super::state::link(&mut linker)?;
        let engine = super::compat::engine_id(&sandbox.engine);
        Ok(Self {
            sandbox,
            cache,
            compiler,
            linker,
            engine,
        })
    }

    /// The cache, if one is in use.
    pub fn cache(&self) -> Option<&Cache> {
        self.cache.as_ref()
    }

    /// The embedded components.
    pub fn builtins() -> impl Iterator<Item = Plugin> {
        BUILTINS.iter().map(|builtin| Plugin {
            source: Source::Builtin(builtin.name),
            bytes: Cow::Borrowed(builtin.bytes),
            digest: builtin.digest,
            space: format!("builtin:{}", builtin.name).into(),
            asks_for_http: false,
            ready: OnceLock::new(),
        })
    }

    /// Reads a component file and looks at it. Nothing is compiled yet.
    ///
    /// # Errors
    /// The file cannot be read, is no component, is too large, or imports
    /// something that is not offered.
    pub fn open(path: &Path) -> Result<Plugin, LoadError> {
        let fail = |reason: String| LoadError {
            plugin: path.display().to_string(),
            reason,
        };
        let bytes = super::inspect::read_component(path).map_err(fail)?;
        let outline = super::precheck::outline(&bytes).map_err(fail)?;
        if let Some((name, reason)) = super::imports::refused(&outline.imports) {
            return Err(fail(format!("it imports {name}, which is not granted: {reason}")));
        }
        if !outline
            .exports
            .iter()
            .any(|name| name.starts_with("toolgate:plugin/tool@0.1."))
        {
            return Err(fail(
                "it does not export toolgate:plugin/tool@0.1.x, so it has no tools; build it with the toolgate-plugin SDK"
                    .to_owned(),
            ));
        }
        Ok(Plugin {
            source: Source::File(path.to_owned()),
            digest: Sha256::digest(&bytes).into(),
            bytes: Cow::Owned(bytes),
            space: space(path),
            asks_for_http: outline
                .imports
                .iter()
                .any(|name| name.starts_with("wasi:http/outgoing-handler@")),
            ready: OnceLock::new(),
        })
    }

    /// The definitions, from the cache if it has them. With tools told,
    /// descriptions speak only of those; all else must stay the same.
    ///
    /// # Errors
    /// The component cannot be compiled, linked or run, or what it says does
    /// not make sense.
    pub fn definitions(&self, plugin: &Plugin, told: Told<'_>) -> Result<Vec<Definition>, LoadError> {
        let kind = told.kind();
        let entry = self.entry(plugin, &kind);
        if let Some(found) = self.cache.as_ref().and_then(|cache| cache.get(entry))
            && let Ok(definitions) = serde_json::from_slice(found.bytes())
        {
            return Ok(definitions);
        }
        let fail = |reason: String| LoadError {
            plugin: plugin.source.label(),
            reason,
        };
        let ready = self.ready(plugin)?.clone();
        let definitions =
            super::definitions::definitions(&self.sandbox, ready, told, DEFINITIONS_DEADLINE).map_err(fail)?;
        if definitions.is_empty() || definitions.len() > MAX_TOOLS {
            return Err(fail(format!(
                "it defines {} tools; a plugin has 1 to {MAX_TOOLS}",
                definitions.len()
            )));
        }
        for definition in &definitions {
            definition.check().map_err(|error| fail(error.to_string()))?;
        }
        if let (Some(cache), Ok(text)) = (&self.cache, serde_json::to_vec(&definitions)) {
            cache.put(entry, &text);
        }
        Ok(definitions)
    }

    /// The compiled and linked component: from memory, from the cache, or compiled now.
    ///
    /// # Errors
    /// It does not compile or does not fit the interfaces.
    pub(super) fn ready<'a>(&self, plugin: &'a Plugin) -> Result<&'a Ready, LoadError> {
        if let Some(ready) = plugin.ready.get() {
            return Ok(ready);
        }
        let fail = |reason: String| LoadError {
            plugin: plugin.source.label(),
            reason,
        };
        let component = self.compiled(plugin).map_err(|error| fail(format!("{error:#}")))?;
        let pre = self
            .linker
            .instantiate_pre(&component)
            .and_then(Ready::new)
            .map_err(|error| fail(format!("it does not fit the interfaces of this host: {error:#}")))?;
        Ok(plugin.ready.get_or_init(|| pre))
    }

    /// Compiles a component unless it is already. What is in the cache is not
    /// loaded before it is needed: most servers never use every tool.
    ///
    /// # Errors
    /// As [`Self::definitions`].
    pub fn warm(&self, plugin: &Plugin) -> Result<(), LoadError> {
        if self
            .cache
            .as_ref()
            .is_some_and(|cache| cache.has(self.entry(plugin, "code")))
        {
            return Ok(());
        }
        self.ready(plugin).map(drop)
    }

    /// Stops the epoch ticker, as a fault would.
    pub(crate) fn inject_ticker_failure(&self) {
        self.sandbox.watchdog.inject_ticker_failure();
    }

    fn compiled(&self, plugin: &Plugin) -> wasmtime::Result<Component> {
        let engine = &self.sandbox.engine;
        let entry = self.entry(plugin, "code");
        if let Some(code) = self.cache.as_ref().and_then(|cache| cache.get(entry)) {
            match super::aot::load(engine, &code) {
                Ok(component) => return Ok(component),
                Err(error) => {
                    tracing::warn!(plugin = %plugin.source.label(), %error, "cached code does not fit this engine")
                }
            }
        }
        // Code from another process is executed only on the way through the cache, whose MAC covers it from there on.
        if let (Source::File(_), Some(cache), Some(compiler)) = (&plugin.source, &self.cache, &self.compiler) {
            let code = compiler.compile(&plugin.bytes).map_err(wasmtime::Error::msg)?;
            cache.put(entry, &code);
            if let Some(code) = cache.get(entry) {
                return super::aot::load(engine, &code);
            }
        }
        let component = Component::new(engine, &plugin.bytes)?;
        if let Some(cache) = &self.cache {
            cache.put(entry, &component.serialize()?);
        }
        Ok(component)
    }

    fn entry<'a>(&'a self, plugin: &'a Plugin, kind: &'a str) -> EntryKey<'a> {
        EntryKey {
            component: &plugin.digest,
            engine: &self.engine,
            kind,
        }
    }
}

/// A short name for a file, however long its path.
fn space(path: &Path) -> Arc<str> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let hash = blake3::hash(path.as_os_str().as_encoded_bytes());
    format!("file:{}", super::cache::hex(&hash.as_bytes()[..16])).into()
}
