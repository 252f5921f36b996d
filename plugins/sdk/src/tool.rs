//! The trait that a tool implements.

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

use crate::{Call, Definition, DefinitionContext, Error};

/// One tool: what it takes, what it gives, what it says of itself, what it does.
///
/// Doc comments of `Args` and `Output` and their fields become the descriptions in the JSON
/// Schemas. Every call runs in a fresh instance, so there is no state to keep in `self`.
pub trait Tool {
    /// The arguments, a struct. Paths in it are resolved and absolute; to reach what they name,
    /// ask [`Call::path`].
    type Args: DeserializeOwned + JsonSchema;

    /// The result, a struct.
    type Output: Serialize + JsonSchema;

    /// Name, description, class and declared accesses.
    ///
    /// Called when the plugin is loaded and again when the set of registered tools changes. May
    /// depend on nothing but `context`, and may vary nothing but the description by it.
    fn definition(context: &DefinitionContext) -> Definition;

    /// Runs the tool.
    ///
    /// # Errors
    ///
    /// Whatever went wrong, in words for the model. The host puts the tool's name in
    /// front of the message.
    fn call(args: Self::Args, call: &Call) -> Result<Self::Output, Error>;
}
