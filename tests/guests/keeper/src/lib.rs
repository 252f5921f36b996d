//! What lives here: a guest that asks for whatever a session keeps, and for parts of walks, as a test tells it.
//! What may call it: the host, in tests of the sandbox.
//! What it must not touch: files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolgate_plugin::bindings::toolgate::plugin::walks;
use toolgate_plugin::state::{self, StateError};
use toolgate_plugin::{Call, Definition, DefinitionContext, Error, Tool, catalog, payloads};

/// One operation.
#[derive(Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Op {
    /// Reads a key.
    Get {
        /// The key.
        key: String,
    },
    /// Writes so many bytes under a key.
    Put {
        /// The key.
        key: String,
        /// Length of the value.
        bytes: usize,
        /// The version that is expected.
        expected: u64,
    },
    /// Reads a whole result.
    Payload {
        /// Whose.
        id: String,
        /// From where.
        offset: u64,
        /// How much.
        limit: u64,
    },
    /// Takes the next part of the walk.
    Next {
        /// What is claimed to have been visited.
        visited: u64,
    },
    /// Asks for a tool.
    Has {
        /// Its name.
        tool: String,
    },
}

/// Arguments of `keeper`.
#[derive(Deserialize, JsonSchema)]
pub struct Args {
    /// The operations, in order.
    pub ops: Vec<Op>,
}

/// Result of `keeper`.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// One text for each operation.
    pub outcomes: Vec<String>,
}

fn run(op: Op) -> String {
    let failed = |error: StateError| match error {
        StateError::Conflict => "conflict".to_owned(),
        StateError::Quota(_) => "quota".to_owned(),
        StateError::Unavailable(_) => "unavailable".to_owned(),
    };
    match op {
        Op::Get { key } => match state::get(&key) {
            Ok(Some(stored)) => format!("{} bytes, version {}", stored.value.len(), stored.version),
            Ok(None) => "none".to_owned(),
            Err(error) => failed(error),
        },
        Op::Put { key, bytes, expected } => match state::put(&key, &vec![b'x'; bytes], expected) {
            Ok(version) => format!("version {version}"),
            Err(error) => failed(error),
        },
        Op::Payload { id, offset, limit } => match payloads::read(&id, offset, limit) {
            Ok(page) => format!("{} of {} bytes", page.text.len(), page.total_bytes),
            Err(payloads::ReadError::InvalidId) => "invalid".to_owned(),
            Err(payloads::ReadError::NotFound) => "not found".to_owned(),
            Err(payloads::ReadError::OutOfRange(total)) => format!("beyond {total}"),
            Err(payloads::ReadError::Unavailable(_)) => "unavailable".to_owned(),
        },
        Op::Next { visited } => match walks::next(visited) {
            Some(part) => format!("part {:?}", part.path),
            None => "no part".to_owned(),
        },
        Op::Has { tool } => catalog::has(&tool).to_string(),
    }
}

/// The tool `keeper`.
pub struct Keeper;

impl Tool for Keeper {
    type Args = Args;
    type Output = Output;

    fn definition(_: &DefinitionContext) -> Definition {
        Definition::new("keeper", "Ask for what is kept and tell how each request ended.")
    }

    fn call(args: Args, _: &Call) -> Result<Output, Error> {
        Ok(Output {
            outcomes: args.ops.into_iter().map(run).collect(),
        })
    }
}

toolgate_plugin::export!(Keeper);
