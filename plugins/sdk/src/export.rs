//! From the WIT interface to [`Tool`]: what the [`export!`](crate::export!) macro calls.

use crate::bindings::exports::toolgate::plugin::tool as wit;
use crate::{Call, DefinitionContext, Error, Tool, arguments, schema};

/// Makes this crate a plugin with the given tools. Goes once into the crate's `lib.rs`.
#[macro_export]
macro_rules! export {
    ($($tool:ty),+ $(,)?) => {
        #[doc(hidden)]
        #[allow(missing_docs, unsafe_code, unreachable_pub, clippy::all)]
        mod toolgate_export {
            use super::*;
            use $crate::bindings::exports::toolgate::plugin::tool as wit;

            struct Plugin;

            impl wit::Guest for Plugin {
                fn definitions(context: wit::Context) -> Vec<wit::Definition> {
                    $crate::export::definitions(
                        context,
                        &[$($crate::export::definition::<$tool>),+],
                    )
                }

                fn call(
                    name: String,
                    arguments: String,
                    grant: wit::Grant,
                ) -> Result<String, wit::Error> {
                    $(if $crate::export::is_named::<$tool>(&name) {
                        return $crate::export::call::<$tool>(&arguments, grant);
                    })+
                    Err($crate::export::unknown(&name))
                }
            }

            $crate::bindings::export_bindings!(Plugin);
        }
    };
}

/// The definitions of all tools of a plugin.
pub fn definitions(context: wit::Context, tools: &[fn(&DefinitionContext) -> wit::Definition]) -> Vec<wit::Definition> {
    let context = DefinitionContext::new(context);
    tools.iter().map(|definition| definition(&context)).collect()
}

/// The definition of one tool, with its schemas.
pub fn definition<T: Tool>(context: &DefinitionContext) -> wit::Definition {
    T::definition(context).into_wit(schema::input::<T::Args>(), schema::output::<T::Output>())
}

/// Whether `T` is the tool called `name`.
pub fn is_named<T: Tool>(name: &str) -> bool {
    T::definition(&DefinitionContext::unknown()).name == name
}

/// Runs one tool.
pub fn call<T: Tool>(arguments: &str, grant: wit::Grant) -> Result<String, wit::Error> {
    let result = arguments::decode(arguments)
        .and_then(|args| T::call(args, &Call::new(grant)))
        .and_then(|output| {
            serde_json::to_string(&output).map_err(|error| Error::failed(format!("the result is not JSON: {error}")))
        });
    result.map_err(|error| wit::Error {
        kind: error.kind,
        message: error.message,
    })
}

/// The answer to a call of a tool that this plugin does not have.
pub fn unknown(name: &str) -> wit::Error {
    wit::Error {
        kind: wit::ErrorKind::NotFound,
        message: format!("this plugin has no tool named `{name}`"),
    }
}
