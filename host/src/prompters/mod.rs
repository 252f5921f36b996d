//! Who can be asked: simple prompters, and those that join several media into one.
//! Front ends and embedding programs put them together and give the result to a session.
//! They must not touch: what an answer means. Answers and approvers are handed on as they are.

mod first_of;
mod fixed;
mod function;
mod media;
mod one_at_a_time;
mod refuse;
pub mod words;

use std::sync::Arc;
use std::time::Duration;

pub use first_of::FirstOf;
pub use fixed::Static;
pub use function::FunctionPrompter;
pub use media::Media;
pub use one_at_a_time::OneAtATime;
pub use refuse::Refuse;

use crate::gate::{Asked, PromptRequest, Prompter};

/// A shared prompter is one, too.
impl<P: Prompter + ?Sized> Prompter for Arc<P> {
    fn prompt<'a>(&'a self, request: &'a PromptRequest) -> Asked<'a> {
        (**self).prompt(request)
    }

    fn patience(&self) -> Option<Duration> {
        (**self).patience()
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::question as test_question;
