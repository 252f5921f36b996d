//! The registered tools.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::arguments::{Arguments, ArgumentsError, Checker};
use super::definition::{Definition, DefinitionError, Origin};
use crate::call::{CallError, ErrorKind};

/// A tool that cannot be registered, or a name that is not known.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// The definition is not acceptable.
    #[error(transparent)]
    Definition(#[from] DefinitionError),
    /// The input schema does not compile.
    #[error("tool {tool:?}: {source}")]
    Schema {
        /// The tool.
        tool: String,
        /// Why not.
        source: ArgumentsError,
    },
    /// Two components define the same name.
    #[error(
        "the tool {tool:?} of {second} is already defined by {first}; a plugin cannot take the name of another tool"
    )]
    Collision {
        /// The name.
        tool: String,
        /// Who has it.
        first: String,
        /// Who wants it too.
        second: String,
    },
    /// `tools.disable` names a tool that does not exist.
    #[error("tools.disable: unknown tool {tool:?}; the tools are {known}{hint}")]
    UnknownDisabled {
        /// The name given.
        tool: String,
        /// All names.
        known: String,
        /// The nearest name.
        hint: String,
    },
}

/// One registered tool.
#[derive(Debug)]
pub struct Registered {
    /// The definition, valid.
    pub definition: Definition,
    /// Where it comes from.
    pub origin: Origin,
    /// Number of the component that holds it.
    pub component: usize,
    checker: Checker,
}

impl Registered {
    /// Validates arguments and brings them into canonical form.
    ///
    /// # Errors
    /// `invalid_arguments`, naming the argument, its value and what would work.
    pub fn arguments(&self, given: Value) -> Result<Arguments, CallError> {
        self.checker.check(&self.definition, given)
    }
}

/// All registered tools, by name. Fixed once the host is built.
#[derive(Debug, Default)]
pub struct Catalog {
    tools: BTreeMap<String, Arc<Registered>>,
}

impl Catalog {
    /// Adds a tool.
    ///
    /// # Errors
    /// See [`CatalogError`].
    pub fn register(&mut self, definition: Definition, origin: Origin, component: usize) -> Result<(), CatalogError> {
        definition.check()?;
        if let Some(first) = self.tools.get(&definition.name) {
            return Err(CatalogError::Collision {
                tool: definition.name,
                first: describe(&first.origin),
                second: describe(&origin),
            });
        }
        let checker = Checker::new(&definition).map_err(|source| CatalogError::Schema {
            tool: definition.name.clone(),
            source,
        })?;
        let name = definition.name.clone();
        let registered = Registered {
            definition,
            origin,
            component,
            checker,
        };
        self.tools.insert(name, Arc::new(registered));
        Ok(())
    }

    /// Leaves tools out.
    ///
    /// # Errors
    /// [`CatalogError::UnknownDisabled`]; nothing is removed then.
    pub fn disable(&mut self, names: &[String]) -> Result<(), CatalogError> {
        if let Some(unknown) = names.iter().find(|name| !self.tools.contains_key(*name)) {
            return Err(CatalogError::UnknownDisabled {
                tool: unknown.clone(),
                known: self.names().collect::<Vec<_>>().join(", "),
                hint: crate::suggest::hint(unknown, self.names()),
            });
        }
        for name in names {
            self.tools.remove(name);
        }
        Ok(())
    }

    /// Leaves out a tool that this host has no use for.
    pub fn leave_out(&mut self, name: &str) {
        self.tools.remove(name);
    }

    /// The tool of this name.
    ///
    /// # Errors
    /// `not_found`, with the nearest name and all names.
    pub fn get(&self, name: &str) -> Result<&Arc<Registered>, CallError> {
        self.tools.get(name).ok_or_else(|| {
            let shown: String = name.escape_debug().take(64).collect();
            CallError::new(
                ErrorKind::NotFound,
                format!(
                    "unknown tool \"{shown}\"{}; the tools are {}",
                    crate::suggest::hint(name, self.names()),
                    self.names().collect::<Vec<_>>().join(", ")
                ),
            )
        })
    }

    /// All names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(String::as_str)
    }

    /// All tools, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Registered>> {
        self.tools.values()
    }
}

fn describe(origin: &Origin) -> String {
    match origin {
        Origin::Builtin => "the built-in catalog".to_owned(),
        Origin::Plugin(path) => path.display().to_string(),
    }
}
