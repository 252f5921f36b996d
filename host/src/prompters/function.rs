//! A closure that answers.

use std::fmt;

use crate::gate::{Answer, Asked, PromptError, PromptRequest, Prompter};

/// Asks a closure. It gets a question of its own and returns a future, which
/// is dropped when the question is withdrawn.
///
/// ```
/// use toolgate::Decision;
/// use toolgate::prompters::FunctionPrompter;
///
/// let reads_only = FunctionPrompter::new(|question| async move {
///     Ok(match question.operation {
///         "read" => Decision::Once.into(),
///         _ => Decision::Deny.into(),
///     })
/// });
/// # let _ = reads_only;
/// ```
pub struct FunctionPrompter<F> {
    function: F,
}

impl<F, A> FunctionPrompter<F>
where
    F: Fn(PromptRequest) -> A + Send + Sync,
    A: Future<Output = Result<Answer, PromptError>> + Send + 'static,
{
    /// A prompter that asks this closure.
    pub fn new(function: F) -> Self {
        Self { function }
    }
}

impl<F, A> Prompter for FunctionPrompter<F>
where
    F: Fn(PromptRequest) -> A + Send + Sync,
    A: Future<Output = Result<Answer, PromptError>> + Send + 'static,
{
    fn prompt<'a>(&'a self, request: &'a PromptRequest) -> Asked<'a> {
        Box::pin((self.function)(request.clone()))
    }
}

impl<F> fmt::Debug for FunctionPrompter<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FunctionPrompter")
    }
}
