//! Asking a component what its tools are, and taking its word only so far.

use std::sync::Arc;
use std::time::Duration;

use super::bindings::exports::toolgate::plugin::tool as wit;
use super::engine::Sandbox;
use super::filesystem::{Budget, CallFiles, Options};
use super::instance::{MIN_FUEL, new_store};
use super::state::{CallState, Ready, Surroundings};
use crate::catalog::{Access, Caps, Class, Definition, Operations, Order, Rule, SharedWalk, Target};
use crate::config::Limits;
use crate::scope::PathScope;

/// What a component hears of the host when it is asked for its definitions.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// The names of all tools; absent while there is no catalog.
    pub tools: Option<&'a [String]>,
    /// The permission mode, and how plans are recorded.
    pub mode: &'a str,
    /// Names and descriptions of the channels of alerts.
    pub channels: &'a [(String, String)],
}

impl Told<'_> {
    fn context(self) -> wit::Context {
        let channels = self.channels.iter();
        wit::Context {
            tools: self.tools.map(<[_]>::to_vec),
            mode: self.mode.to_owned(),
            channels: channels
                .map(|(name, description)| wit::Channel {
                    name: name.clone(),
                    description: description.clone(),
                })
                .collect(),
        }
    }

    /// The name of the cache entry for what is said in answer.
    pub(super) fn kind(self) -> String {
        let Some(tools) = self.tools else {
            return "definitions".to_owned();
        };
        let mut hasher = blake3::Hasher::new();
        let channels = self.channels.iter();
        let channels = channels.flat_map(|(name, description)| [name.as_str(), description.as_str()]);
        for text in tools.iter().map(String::as_str).chain([self.mode]).chain(channels) {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        format!("definitions-{}", super::cache::hex(&hasher.finalize().as_bytes()[..8]))
    }
}

/// Asks a component for its definitions, with no capability granted.
pub(super) fn definitions(
    sandbox: &Sandbox,
    ready: Ready,
    told: Told<'_>,
    deadline: Duration,
) -> Result<Vec<Definition>, String> {
    let scope = PathScope::nothing();
    let files = CallFiles {
        tool: "definitions".into(),
        scope: Arc::new(scope),
        outside: Arc::new([]),
        grants: Vec::new(),
        exclusions: Vec::new(),
        options: Options {
            hardlinks: crate::config::Hardlinks::Deny,
            cross_device: false,
        },
        budget: Budget::new(0, 0, 0),
        own_files: Arc::new([]),
        pending: None,
        hash_key: std::sync::OnceLock::new(),
        displaced: std::sync::OnceLock::new(),
    };
    let state = CallState::new(
        files,
        Limits::default().memory_bytes,
        sandbox.handles,
        Surroundings::default(),
    );
    let mut store = new_store(sandbox, state, MIN_FUEL);
    let context = told.context();
    // The caller may itself run in a runtime, where blocking on another one is refused; a channel is not.
    let (sender, receiver) = std::sync::mpsc::sync_channel(1);
    let task = sandbox.runtime().spawn(async move {
        let work = async {
            let instance = ready.instantiate_async(&mut store).await?;
            instance
                .toolgate_plugin_tool()
                .call_definitions(&mut store, &context)
                .await
        };
        let result = match tokio::time::timeout(deadline, work).await {
            Ok(Ok(list)) => list.into_iter().map(definition).collect(),
            Ok(Err(error)) => Err(format!("it cannot say what its tools are: {error:#}")),
            Err(_) => Err(format!(
                "it took more than {} s to say what its tools are",
                deadline.as_secs()
            )),
        };
        let _ = sender.send(result);
    });
    let result = receiver.recv_timeout(deadline + Duration::from_secs(1));
    task.abort();
    result.unwrap_or_else(|_| Err("it could not be asked what its tools are".to_owned()))
}

fn definition(wit: wit::Definition) -> Result<Definition, String> {
    let name: String = wit.name.escape_debug().take(64).collect();
    let schema = |field: &str, text: &str| {
        crate::json::parse(text).map_err(|error| format!("tool {name}: the {field} schema is not valid JSON: {error}"))
    };
    let accesses = wit
        .accesses
        .into_iter()
        .map(|access| {
            let target = match access.target {
                wit::Target::File => Target::File,
                wit::Target::Tree => Target::Tree,
                wit::Target::Directory => Target::Directory,
                wit::Target::Url => Target::Url,
                wit::Target::Channel => Target::Channel,
                other => {
                    return Err(format!(
                        "tool {name}: it declares access of kind {other:?} by {:?}, which this host does not offer",
                        access.argument
                    ));
                }
            };
            let has = |flag| access.operations.contains(flag);
            Ok(Access {
                argument: access.argument,
                target,
                operations: Operations {
                    read: has(wit::Operations::READ),
                    write: has(wit::Operations::WRITE),
                    create: has(wit::Operations::CREATE),
                    delete: has(wit::Operations::DELETE),
                    send: has(wit::Operations::SEND),
                },
                default: access.default,
                when: access.when,
                lenient: access.lenient,
            })
        })
        .collect::<Result<_, String>>()?;
    Ok(Definition {
        input_schema: schema("input", &wit.input_schema)?,
        output_schema: schema("output", &wit.output_schema)?,
        name: wit.name,
        description: wit.description,
        class: Class {
            read_only: wit.class.read_only,
            destructive: wit.class.destructive,
            idempotent: wit.class.idempotent,
            open_world: wit.class.open_world,
        },
        accesses,
        aliases: wit.aliases,
        caps: wit.caps.map(|caps| Caps {
            max_bytes: caps.max_bytes,
            max_lines: caps.max_lines,
        }),
        survey: wit.survey,
        rules: wit.rules.into_iter().map(rule).collect(),
        budget: wit.budget,
        shared_walk: wit.shared_walk.map(shared_walk),
    })
}

fn rule(wit: wit::Rule) -> Rule {
    match wit {
        wit::Rule::ExactlyOne(names) => Rule::ExactlyOne(names),
        wit::Rule::AtLeastOne(names) => Rule::AtLeastOne(names),
        wit::Rule::AtMostOne(names) => Rule::AtMostOne(names),
        wit::Rule::Distinct((one, other)) => Rule::Distinct(one, other),
    }
}

fn shared_walk(wit: wit::SharedWalk) -> SharedWalk {
    SharedWalk {
        argument: wit.argument,
        skip: wit.skip,
        results: wit.results,
        order: match wit.order {
            wit::Order::Walk => Order::Walk,
            wit::Order::Bytes => Order::Bytes,
        },
    }
}
