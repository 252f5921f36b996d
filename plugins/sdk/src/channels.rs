//! Sending to the channels that a call was granted.

use crate::bindings::exports::toolgate::plugin::tool;
use crate::bindings::toolgate::plugin::channels as host;
use crate::{Error, ErrorKind};

pub use host::Receipt;

/// One channel that an argument named and the call was granted.
#[derive(Debug, Clone)]
pub struct Channel<'call> {
    granted: &'call tool::GrantedChannel,
}

impl<'call> Channel<'call> {
    pub(crate) fn new(granted: &'call tool::GrantedChannel) -> Self {
        Self { granted }
    }

    /// The name.
    pub fn name(&self) -> &'call str {
        &self.granted.name
    }

    /// The shape of its messages, for example `slack`.
    pub fn template(&self) -> &'call str {
        &self.granted.template
    }

    /// The conversation to post to, where the template has one.
    pub fn conversation(&self) -> Option<&'call str> {
        self.granted.conversation.as_deref()
    }

    /// Sends one message, a JSON object in the shape of the template. Credentials are added by
    /// the host.
    ///
    /// # Errors
    ///
    /// The message was not delivered, and a class of reasons: never an address or a secret.
    pub fn send(&self, message: &str) -> Result<Receipt, Error> {
        Ok(host::send(&self.granted.name, message)?)
    }
}

impl From<host::Failure> for Error {
    fn from(failure: host::Failure) -> Self {
        let kind = match failure.kind {
            host::FailureKind::Denied => ErrorKind::Denied,
            host::FailureKind::Invalid => ErrorKind::InvalidArguments,
            host::FailureKind::Limit => ErrorKind::Limit,
            host::FailureKind::Deadline => ErrorKind::Deadline,
            host::FailureKind::Unavailable => ErrorKind::Unavailable,
        };
        Self::new(kind, failure.message)
    }
}
