//! Tools that do no harm, for comparison.

use std::sync::atomic::{AtomicU64, Ordering};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolgate_plugin::{Call, Definition, DefinitionContext, Error, Tool};

use crate::{Nothing, Taken};

/// The tool `echo`.
pub(crate) struct Echo;

/// Arguments and result of `echo`.
#[derive(Deserialize, Serialize, JsonSchema)]
pub(crate) struct Text {
    /// The text.
    pub(crate) text: String,
}

impl Tool for Echo {
    type Args = Text;
    type Output = Text;

    fn definition(_: &DefinitionContext) -> Definition {
        Definition::new("echo", "Return the text that it was given.").read_only()
    }

    fn call(args: Text, _: &Call) -> Result<Text, Error> {
        Ok(args)
    }
}

/// The tool `count`.
pub(crate) struct Count;

impl Tool for Count {
    type Args = Nothing;
    type Output = Taken;

    fn definition(_: &DefinitionContext) -> Definition {
        Definition::new("count", "Count the calls that this instance has seen: always one.").read_only()
    }

    fn call(_: Nothing, _: &Call) -> Result<Taken, Error> {
        static CALLS: AtomicU64 = AtomicU64::new(0);
        Ok(Taken {
            taken: CALLS.fetch_add(1, Ordering::Relaxed) + 1,
        })
    }
}
