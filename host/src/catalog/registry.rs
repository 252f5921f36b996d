//! The registered tools.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

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
    /// The configuration names a tool that does not exist.
    #[error("{origin}: unknown tool {tool:?}; the tools are {known}{hint}")]
    Unknown {
        /// Where it is named.
        origin: String,
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
    /// Validates arguments and brings them into canonical form, in place. What is refused
    /// stays as it was given, except that aliases may be replaced already.
    ///
    /// # Errors
    /// `invalid_arguments`, naming the argument, its value and what would work.
    pub fn arguments<'a>(&self, given: &'a mut Value) -> Result<&'a Arguments, CallError> {
        self.checker.check(&self.definition, given)
    }
}

/// All registered tools, by name. Which there are is fixed once the host is
/// built; definitions of announced tools are loaded when they are first needed.
#[derive(Debug, Default)]
pub struct Catalog {
    tools: BTreeMap<String, Entry>,
}

/// A name, and what is known of it.
#[derive(Debug)]
struct Entry {
    origin: Origin,
    component: usize,
    registered: OnceLock<Arc<Registered>>,
}

impl Catalog {
    /// Adds a tool.
    ///
    /// # Errors
    /// See [`CatalogError`].
    pub fn register(&mut self, definition: Definition, origin: Origin, component: usize) -> Result<(), CatalogError> {
        definition.check()?;
        let name = definition.name.clone();
        self.announce(&name, origin, component)?;
        self.define(definition).map(drop)
    }

    /// Adds the name of a tool whose definition comes later.
    ///
    /// # Errors
    /// The name is taken.
    pub fn announce(&mut self, name: &str, origin: Origin, component: usize) -> Result<(), CatalogError> {
        if let Some(first) = self.tools.get(name) {
            return Err(CatalogError::Collision {
                tool: name.to_owned(),
                first: describe(&first.origin),
                second: describe(&origin),
            });
        }
        let entry = Entry {
            origin,
            component,
            registered: OnceLock::new(),
        };
        self.tools.insert(name.to_owned(), entry);
        Ok(())
    }

    /// Gives an announced tool its definition; the first one stays.
    ///
    /// # Errors
    /// See [`CatalogError`]; a tool that was not announced has no place.
    pub fn define(&self, definition: Definition) -> Result<&Arc<Registered>, CatalogError> {
        let name = definition.name.as_str();
        let entry = self.tools.get(name).ok_or_else(|| DefinitionError {
            tool: name.to_owned(),
            reason: "no tool of this name was announced".to_owned(),
        })?;
        let checker = Checker::new(&definition).map_err(|source| CatalogError::Schema {
            tool: name.to_owned(),
            source,
        })?;
        Ok(entry.registered.get_or_init(|| {
            Arc::new(Registered {
                origin: entry.origin.clone(),
                component: entry.component,
                definition,
                checker,
            })
        }))
    }

    /// Leaves out a tool that the operator does not want, or that this host has no use for.
    pub fn leave_out(&mut self, name: &str) {
        self.tools.remove(name);
    }

    /// Whether there is a tool of this name.
    pub fn has(&self, name: &str) -> bool {
        self.tools.contains_key(name)
    }

    /// The number of the component that holds a tool, and the tool itself if
    /// its definition has been loaded.
    ///
    /// # Errors
    /// `not_found`, with the nearest name and all names.
    pub fn get(&self, name: &str) -> Result<(usize, Option<&Arc<Registered>>), CallError> {
        if let Some(entry) = self.tools.get(name) {
            return Ok((entry.component, entry.registered.get()));
        }
        let shown: String = name.escape_debug().take(64).collect();
        Err(CallError::new(
            ErrorKind::NotFound,
            format!(
                "unknown tool \"{shown}\"{}; the tools are {}",
                crate::suggest::hint(name, self.names()),
                self.names().collect::<Vec<_>>().join(", ")
            ),
        ))
    }

    /// The tools of one component, sorted by name.
    pub fn of_component(&self, number: usize) -> impl Iterator<Item = &str> {
        let tools = self.tools.iter();
        tools
            .filter(move |(_, entry)| entry.component == number)
            .map(|(name, _)| name.as_str())
    }

    /// All names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(String::as_str)
    }
}

fn describe(origin: &Origin) -> String {
    match origin {
        Origin::Builtin => "the built-in catalog".to_owned(),
        Origin::Plugin(path) => path.display().to_string(),
    }
}
