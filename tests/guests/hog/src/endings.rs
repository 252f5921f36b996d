//! Tools that do not return.

use schemars::JsonSchema;
use serde::Deserialize;
use toolgate_plugin::{Access, Call, Definition, DefinitionContext, Error, Tool};

use crate::{Nothing, Taken};

/// The tool `trap`.
pub(crate) struct Trap;

impl Tool for Trap {
    type Args = Nothing;
    type Output = Taken;

    fn definition(_: &DefinitionContext) -> Definition {
        Definition::new("trap", "Execute an instruction that must not be reached.")
    }

    fn call(_: Nothing, _: &Call) -> Result<Taken, Error> {
        std::process::abort()
    }
}

/// The tool `panic`.
pub(crate) struct Panic;

impl Tool for Panic {
    type Args = Nothing;
    type Output = Taken;

    fn definition(_: &DefinitionContext) -> Definition {
        Definition::new("panic", "Fail an assertion.")
    }

    fn call(_: Nothing, _: &Call) -> Result<Taken, Error> {
        panic!("this tool always fails")
    }
}

/// The tool `hold_then_trap`.
pub(crate) struct HoldThenTrap;

/// Arguments of `hold_then_trap`.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct HoldThenTrapArgs {
    /// A file whose replacement is begun and never finished.
    #[expect(dead_code, reason = "the host resolves it; the call has the result")]
    pub(crate) path: String,
    /// How many replacements.
    pub(crate) count: u64,
}

impl Tool for HoldThenTrap {
    type Args = HoldThenTrapArgs;
    type Output = Taken;

    fn definition(_: &DefinitionContext) -> Definition {
        Definition::new(
            "hold_then_trap",
            "Begin to replace a file, several times, and break down.",
        )
        .access(Access::file("path").read().write().create())
    }

    fn call(args: HoldThenTrapArgs, call: &Call) -> Result<Taken, Error> {
        let path = call.path("path")?;
        let mut open = Vec::new();
        let mut begun = Vec::new();
        for _ in 0..args.count {
            let replacement = path.replace()?;
            replacement.write(b"half a ")?;
            begun.push(replacement);
            open.extend(path.open_file().ok());
        }
        std::hint::black_box((&open, &begun));
        std::process::abort()
    }
}
