//! Why a request got no answer.

use std::time::Duration;

/// What kind of thing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// The host's rules refuse it.
    Denied,
    /// The request itself cannot be made.
    Invalid,
    /// A size, a ratio or a count was exceeded.
    Limit,
    /// Time was over.
    Deadline,
    /// The name has no address, or its servers do not answer.
    Dns,
    /// No connection.
    Connect,
    /// The other side is not who it should be, or speaks no TLS.
    Tls,
    /// The other side did not keep to the protocol.
    Protocol,
}

impl Class {
    /// One word for messages that may say no more than this.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Denied => "denied",
            Self::Invalid => "invalid",
            Self::Limit => "limit",
            Self::Deadline => "timeout",
            Self::Dns => "dns",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Protocol => "protocol",
        }
    }
}

/// A request without an answer.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Failure {
    pub(crate) class: Class,
    /// What was wrong, with what, and what would work. Holds no secret of the host.
    pub(crate) message: String,
}

impl Failure {
    pub(super) fn new(class: Class, message: impl Into<String>) -> Self {
        Self {
            class,
            message: message.into(),
        }
    }

    /// Time was over during `what`.
    pub(super) fn late(what: &str, length: Duration) -> Self {
        Self::new(
            Class::Deadline,
            format!(
                "time was over after {} s while {what}; the limit for one request with its redirects is \
                 url_scope.timeout_seconds",
                seconds(length)
            ),
        )
    }
}

/// Whole seconds without a fraction, others with one digit.
fn seconds(length: Duration) -> String {
    if length.subsec_millis() == 0 {
        length.as_secs().to_string()
    } else {
        format!("{:.1}", length.as_secs_f64())
    }
}
