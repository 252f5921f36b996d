//! What a tool says of itself: a builder for the WIT record.

use crate::Caps;
use crate::bindings::exports::toolgate::plugin::tool::{self, Operations};

pub use tool::Target;

/// What the host says when it asks for a definition.
#[derive(Debug)]
pub struct DefinitionContext {
    context: tool::Context,
}

impl DefinitionContext {
    pub(crate) fn new(context: tool::Context) -> Self {
        Self { context }
    }

    /// The context of a call, where only the names of the tools matter.
    pub(crate) fn unknown() -> Self {
        Self::new(tool::Context {
            tools: None,
            mode: String::new(),
        })
    }

    /// Whether a tool is registered. While the catalog is not known, every tool counts as
    /// registered.
    pub fn has(&self, tool: &str) -> bool {
        self.context
            .tools
            .as_ref()
            .is_none_or(|tools| tools.iter().any(|name| name == tool))
    }

    /// The permission mode in force, for example `ask`.
    pub fn mode(&self) -> &str {
        &self.context.mode
    }
}

/// One declared access: an argument, what kind of thing it names, and what the tool wants to do
/// with it. The call gets exactly this and nothing else.
#[derive(Debug, Clone)]
pub struct Access(tool::Access);

impl Access {
    /// The argument names something of the given kind; add operations with the other methods.
    pub fn new(argument: impl Into<String>, target: Target) -> Self {
        Self(tool::Access {
            argument: argument.into(),
            target,
            operations: Operations::empty(),
            default: None,
        })
    }

    /// The argument names one file or directory entry.
    pub fn file(argument: impl Into<String>) -> Self {
        Self::new(argument, Target::File)
    }

    /// The argument names a directory and all below it, or one file.
    pub fn tree(argument: impl Into<String>) -> Self {
        Self::new(argument, Target::Tree)
    }

    /// The argument names a directory, without what is below its entries.
    pub fn directory(argument: impl Into<String>) -> Self {
        Self::new(argument, Target::Directory)
    }

    fn with(mut self, operation: Operations) -> Self {
        self.0.operations |= operation;
        self
    }

    /// The tool reads it.
    pub fn read(self) -> Self {
        self.with(Operations::READ)
    }

    /// The tool changes what exists.
    pub fn write(self) -> Self {
        self.with(Operations::WRITE)
    }

    /// The tool creates what does not exist.
    pub fn create(self) -> Self {
        self.with(Operations::CREATE)
    }

    /// The tool deletes it.
    pub fn delete(self) -> Self {
        self.with(Operations::DELETE)
    }

    /// The value the host uses when the argument is absent or, for paths, empty.
    pub fn default(mut self, value: impl Into<String>) -> Self {
        self.0.default = Some(value.into());
        self
    }
}

/// A tool's definition. Without further calls a tool is assumed to change things, to reach
/// nothing, and to have no limits of its own.
#[derive(Debug, Clone)]
pub struct Definition {
    pub(crate) name: String,
    description: String,
    class: tool::Class,
    accesses: Vec<tool::Access>,
    aliases: Vec<(String, String)>,
    caps: Option<tool::Caps>,
    survey: bool,
}

impl Definition {
    /// A tool with this name (`[a-z][a-z0-9_.-]*`, at most 64 characters) and the base text of
    /// its description.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            class: tool::Class {
                read_only: false,
                destructive: false,
                idempotent: false,
                open_world: false,
            },
            accesses: Vec::new(),
            aliases: Vec::new(),
            caps: None,
            survey: false,
        }
    }

    /// Adds a sentence to the description if `condition` holds, typically
    /// `context.has("another_tool")`: a description names only tools that exist.
    pub fn describe_if(mut self, condition: bool, sentence: &str) -> Self {
        if condition {
            self.description.push(' ');
            self.description.push_str(sentence);
        }
        self
    }

    /// The tool changes nothing anywhere; so it is idempotent too.
    pub fn read_only(mut self) -> Self {
        self.class.read_only = true;
        self.class.idempotent = true;
        self
    }

    /// The tool may destroy what was there before.
    pub fn destructive(mut self) -> Self {
        self.class.destructive = true;
        self
    }

    /// Calling twice with the same arguments has no further effect.
    pub fn idempotent(mut self) -> Self {
        self.class.idempotent = true;
        self
    }

    /// The tool reaches things outside the host: network, people, other systems.
    pub fn open_world(mut self) -> Self {
        self.class.open_world = true;
        self
    }

    /// Declares an access.
    pub fn access(mut self, access: Access) -> Self {
        self.accesses.push(access.0);
        self
    }

    /// Accepts `alias` as another name of the argument `argument`.
    pub fn alias(mut self, alias: impl Into<String>, argument: impl Into<String>) -> Self {
        self.aliases.push((alias.into(), argument.into()));
        self
    }

    /// The tool's own output limits; the operator may set others.
    pub fn caps(mut self, caps: Caps) -> Self {
        self.caps = Some(tool::Caps {
            max_bytes: caps.max_bytes as u64,
            max_lines: caps.max_lines as u64,
        });
        self
    }

    /// The tool answers "what is out there"; large results are digested.
    pub fn survey(mut self) -> Self {
        self.survey = true;
        self
    }

    pub(crate) fn into_wit(self, input_schema: String, output_schema: String) -> tool::Definition {
        tool::Definition {
            name: self.name,
            description: self.description,
            input_schema,
            output_schema,
            class: self.class,
            accesses: self.accesses,
            aliases: self.aliases,
            caps: self.caps,
            survey: self.survey,
        }
    }
}
