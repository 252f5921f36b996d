//! What a tool says of itself: a builder for the WIT record.

use crate::Caps;
use crate::bindings::exports::toolgate::plugin::tool::{self, Operations};

pub use tool::{Order, Target};

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
            channels: Vec::new(),
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

    /// The channels that alerts can go to, in the operator's order: names and what is said of them.
    pub fn channels(&self) -> impl Iterator<Item = (&str, &str)> {
        let channels = self.context.channels.iter();
        channels.map(|channel| (channel.name.as_str(), channel.description.as_str()))
    }

    /// The permission mode in force, for example `ask`.
    pub fn mode(&self) -> &str {
        self.context.mode.split(' ').next().unwrap_or_default()
    }

    /// Whether calls wait for a plan, where plans are recorded at all.
    pub fn plan_mode(&self) -> Option<PlanMode> {
        let mut words = self.context.mode.split(' ').skip(1);
        words.find_map(|word| match word.strip_prefix("plan=")? {
            "advisory" => Some(PlanMode::Advisory),
            "required" => Some(PlanMode::Required),
            _ => None,
        })
    }
}

/// What plans are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanMode {
    /// They are recorded, and no call waits for one.
    Advisory,
    /// Calls that change things or reach out are denied until one is recorded.
    Required,
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
            when: None,
            lenient: false,
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

    /// The argument names a URL to request.
    pub fn url(argument: impl Into<String>) -> Self {
        Self::new(argument, Target::Url)
    }

    /// The argument names a channel to send to.
    pub fn channel(argument: impl Into<String>) -> Self {
        Self::new(argument, Target::Channel)
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

    /// The tool sends something to it.
    pub fn send(self) -> Self {
        self.with(Operations::SEND)
    }

    /// The value the host uses when the argument is absent or, for paths, empty.
    pub fn default(mut self, value: impl Into<String>) -> Self {
        self.0.default = Some(value.into());
        self
    }

    /// The access is wanted only in calls that give this other argument.
    pub fn when(mut self, argument: impl Into<String>) -> Self {
        self.0.when = Some(argument.into());
        self
    }

    /// A refusal does not fail the call: [`Call::refused`](crate::Call::refused) tells of it.
    pub fn lenient(mut self) -> Self {
        self.0.lenient = true;
        self
    }
}

/// What the host holds arguments to, beyond their schema, before it asks anybody for anything.
/// These are rules that the schemas of model providers cannot express.
#[derive(Debug, Clone)]
pub struct Rule(tool::Rule);

fn names<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    arguments.into_iter().map(str::to_owned).collect()
}

impl Rule {
    /// One of the arguments is given, and no more.
    pub fn exactly_one<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Self {
        Self(tool::Rule::ExactlyOne(names(arguments)))
    }

    /// One of the arguments is given, or several.
    pub fn at_least_one<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Self {
        Self(tool::Rule::AtLeastOne(names(arguments)))
    }

    /// One of the arguments is given, or none.
    pub fn at_most_one<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Self {
        Self(tool::Rule::AtMostOne(names(arguments)))
    }

    /// Two arguments, if both are given, have different values.
    pub fn distinct(one: &str, other: &str) -> Self {
        Self(tool::Rule::Distinct((one.to_owned(), other.to_owned())))
    }
}

/// A walk that several instances of the tool may share, so that a large tree keeps every processor
/// busy. [`Walk`](crate::fs::Walk) takes the parts; the host joins the results of the instances:
/// the lists called `results` become one, cut to the limits; other numbers are added up, other
/// flags hold if one of them does.
#[derive(Debug, Clone, Copy)]
pub struct SharedWalk<'a> {
    /// The argument that names the tree.
    pub argument: &'a str,
    /// Directories that the walk does not enter, by exact name.
    pub skip: &'a [&'a str],
    /// The member of the result that lists what was found: paths, or objects with a `path`.
    pub results: &'a str,
    /// The order of that list.
    pub order: Order,
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
    rules: Vec<tool::Rule>,
    budget: Option<u32>,
    shared_walk: Option<tool::SharedWalk>,
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
            rules: Vec::new(),
            budget: None,
            shared_walk: None,
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

    /// Holds the arguments to a rule before anybody is asked for an approval.
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rules.push(rule.0);
        self
    }

    /// A call may run for so many seconds, if the host does not allow less.
    pub fn budget(mut self, seconds: f32) -> Self {
        self.budget = Some((seconds * 1000.0) as u32);
        self
    }

    /// Several instances may share the walk over a large tree.
    pub fn shared_walk(mut self, walk: SharedWalk<'_>) -> Self {
        self.shared_walk = Some(tool::SharedWalk {
            argument: walk.argument.to_owned(),
            skip: walk.skip.iter().map(|name| (*name).to_owned()).collect(),
            results: walk.results.to_owned(),
            order: walk.order,
        });
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
            rules: self.rules,
            budget: self.budget,
            shared_walk: self.shared_walk,
        }
    }
}
