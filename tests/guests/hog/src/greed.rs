//! Tools that take time, memory, log lines and handles.

use schemars::JsonSchema;
use serde::Deserialize;
use toolgate_plugin::{Access, Call, Definition, DefinitionContext, Error, Tool, log};

use crate::Taken;

/// Bytes of one step of `hog_memory`.
const STEP: usize = 1 << 20;

/// The tool `spin`.
pub(crate) struct Spin;

/// Arguments of `spin`.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct SpinArgs {
    /// How many rounds; without it there is no end.
    pub(crate) rounds: Option<u64>,
}

impl Tool for Spin {
    type Args = SpinArgs;
    type Output = Taken;

    fn definition(_: &DefinitionContext) -> Definition {
        Definition::new("spin", "Use the processor until somebody ends it.")
    }

    fn call(args: SpinArgs, _: &Call) -> Result<Taken, Error> {
        let mut taken = 0_u64;
        while args.rounds.is_none_or(|rounds| taken < rounds) {
            taken = std::hint::black_box(taken.wrapping_add(1));
        }
        Ok(Taken { taken })
    }
}

/// The tool `hog_memory`.
pub(crate) struct HogMemory;

/// Arguments of `hog_memory`.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct HogMemoryArgs {
    /// How much to take at most, in MiB.
    pub(crate) mib: u64,
}

impl Tool for HogMemory {
    type Args = HogMemoryArgs;
    type Output = Taken;

    fn definition(_: &DefinitionContext) -> Definition {
        Definition::new(
            "hog_memory",
            "Allocate memory and touch it until it is refused; counts MiB.",
        )
    }

    fn call(args: HogMemoryArgs, _: &Call) -> Result<Taken, Error> {
        let mut all = Vec::new();
        for _ in 0..args.mib {
            let mut step = Vec::new();
            if step.try_reserve_exact(STEP).is_err() {
                break;
            }
            step.resize(STEP, 0xa5_u8);
            all.push(step);
        }
        Ok(Taken {
            taken: std::hint::black_box(&all).len() as u64,
        })
    }
}

/// The tool `log_flood`.
pub(crate) struct LogFlood;

/// Arguments of `log_flood`.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct LogFloodArgs {
    /// How many lines to write.
    pub(crate) lines: u64,
}

impl Tool for LogFlood {
    type Args = LogFloodArgs;
    type Output = Taken;

    fn definition(_: &DefinitionContext) -> Definition {
        Definition::new("log_flood", "Write long lines to the operator's log.")
    }

    fn call(args: LogFloodArgs, _: &Call) -> Result<Taken, Error> {
        let line = "\u{1b}[2Jflood ".repeat(1000);
        (0..args.lines).for_each(|_| log::error(&line));
        Ok(Taken { taken: args.lines })
    }
}

/// The tool `resources`.
pub(crate) struct Resources;

/// Arguments of `resources`.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct ResourcesArgs {
    /// The file to open again and again.
    #[expect(dead_code, reason = "the host resolves it; the call has the result")]
    pub(crate) path: String,
    /// How often.
    pub(crate) count: u64,
}

impl Tool for Resources {
    type Args = ResourcesArgs;
    type Output = Taken;

    fn definition(_: &DefinitionContext) -> Definition {
        Definition::new(
            "resources",
            "Open a file again and again and keep it open; counts descriptors.",
        )
        .access(Access::file("path").read())
    }

    fn call(args: ResourcesArgs, call: &Call) -> Result<Taken, Error> {
        let path = call.path("path")?;
        let open: Vec<_> = (0..args.count).map_while(|_| path.open_file().ok()).collect();
        Ok(Taken {
            taken: open.len() as u64,
        })
    }
}
