//! The built-in components, ready to describe their tools for any catalog.

use std::sync::Arc;

use toolgate::catalog::Definition;
use toolgate::sandbox::cache::Cache;
use toolgate::sandbox::{Loader, Plugin, Sandbox, Told};
use toolgate_tests::rig::target;

/// The mode in which most is said of other tools: those that wait for a plan.
pub(crate) const REQUIRED: &str = "ask plan=required";

/// All built-in components.
pub(crate) struct Speakers {
    loader: Loader,
    plugins: Vec<Plugin>,
}

impl Speakers {
    /// Takes compiled code from the cache that all tests share and keeps the
    /// thousands of descriptions out of it.
    pub(crate) fn new() -> Self {
        let sandbox = Arc::new(Sandbox::new(8).unwrap());
        let cache = Cache::open(&target("test-cache"), &target("test-state"));
        let caching = Loader::new(Arc::clone(&sandbox), cache, None).unwrap();
        let plugins: Vec<_> = Loader::builtins().collect();
        for plugin in &plugins {
            caching.warm(plugin).unwrap();
        }
        Self {
            loader: Loader::new(sandbox, None, None).unwrap(),
            plugins,
        }
    }

    /// What each component says in this catalog; `None`: nobody has said which
    /// tools there are. Of the tools, those that are in the catalog.
    pub(crate) fn say(&self, catalog: Option<&[String]>) -> Vec<Definition> {
        self.say_in(REQUIRED, catalog)
    }

    /// The same in this mode.
    pub(crate) fn say_in(&self, mode: &str, catalog: Option<&[String]>) -> Vec<Definition> {
        let definitions = self.plugins.iter().flat_map(|plugin| {
            let told = Told {
                tools: catalog,
                mode,
                channels: &[],
            };
            self.loader.definitions(plugin, told).unwrap()
        });
        definitions
            .filter(|definition| catalog.is_none_or(|names| names.contains(&definition.name)))
            .collect()
    }

    /// The names of the tools of this build, sorted.
    pub(crate) fn tools(&self) -> Vec<String> {
        let mut names: Vec<_> = self.say(None).into_iter().map(|tool| tool.name).collect();
        names.sort();
        names
    }
}

/// Everything a tool says about itself, schemas included.
pub(crate) fn everything(definition: &Definition) -> String {
    format!(
        "{}\n{}\n{}",
        definition.description, definition.input_schema, definition.output_schema
    )
}
