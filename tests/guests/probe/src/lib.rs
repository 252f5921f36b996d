//! What lives here: a guest that does whatever a test tells it, operation by operation, without any care of its own.
//! What may call it: the host, in tests of the sandbox.
//! What it must not touch: the helpers of the SDK for files; they would hide what the host answers.

mod content;
mod machine;
mod op;
mod paths;
mod streams;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolgate_plugin::{Access, Call, Definition, DefinitionContext, Error, Tool};

use machine::Machine;
use op::Op;

/// Arguments of all three tools.
#[derive(Deserialize, JsonSchema)]
pub struct Args {
    /// What the host grants; the operations may name anything.
    pub path: Option<String>,
    /// Further trees, which the host grants to `probe` in the same way.
    #[serde(default)]
    pub also: Vec<String>,
    /// The operations, in order.
    pub ops: Vec<Op>,
    /// Runs the operations so many times and counts outcomes instead of listing them.
    pub repeat: Option<u64>,
}

/// Result of all three tools.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// One text for each operation: `ok`, `ok:DATA`, or the name of the error code.
    pub outcomes: Vec<String>,
    /// With `repeat`: for each operation, how often each outcome came.
    pub counts: Vec<BTreeMap<String, u64>>,
}

fn run(args: &Args) -> Output {
    let mut machine = Machine::new();
    let Some(times) = args.repeat else {
        return Output {
            outcomes: args.ops.iter().map(|op| machine.run(op)).collect(),
            counts: Vec::new(),
        };
    };
    let mut counts = vec![BTreeMap::new(); args.ops.len()];
    for _ in 0..times {
        for (op, count) in args.ops.iter().zip(&mut counts) {
            *count.entry(machine.run(op)).or_default() += 1;
        }
    }
    Output {
        outcomes: Vec::new(),
        counts,
    }
}

macro_rules! probe {
    ($(#[$doc:meta])* $tool:ident, $name:literal, $($access:expr),+) => {
        $(#[$doc])*
        pub struct $tool;

        impl Tool for $tool {
            type Args = Args;
            type Output = Output;

            fn definition(_: &DefinitionContext) -> Definition {
                Definition::new($name, "Run file system operations and tell how each one ended.")$(.access($access))+
            }

            fn call(args: Args, _: &Call) -> Result<Output, Error> {
                Ok(run(&args))
            }
        }
    };
}

probe!(
    /// Everything below `path`.
    Probe,
    "probe",
    Access::tree("path").read().write().create().delete().default("."),
    Access::tree("also").read().write().create().delete()
);
probe!(
    /// Everything below `path`, to read.
    ProbeRead,
    "probe_read",
    Access::tree("path").read().default(".")
);
probe!(
    /// One file, to read.
    ProbeFile,
    "probe_file",
    Access::file("path").read()
);

toolgate_plugin::export!(Probe, ProbeRead, ProbeFile);
