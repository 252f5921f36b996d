//! Questions and answers.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

/// What is asked for (RFC 1035, section 3.2.2; RFC 3596; RFC 9460).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QueryType {
    /// IPv4 addresses.
    A,
    /// IPv6 addresses.
    Aaaa,
    /// An alias.
    Cname,
    /// Service parameters of HTTPS.
    Https,
    /// Another type by its number.
    Other(u16),
}

/// One question as it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The name in lower case, without the final dot.
    pub name: String,
    /// The type.
    pub kind: QueryType,
    /// How many times this name and type have been asked for by now, from 1.
    pub nth: usize,
    /// Whether it came over TCP.
    pub tcp: bool,
}

/// One record of an answer. It belongs to the name asked for, or after an
/// alias to that alias' target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// An IPv4 address.
    A(Ipv4Addr),
    /// An IPv6 address.
    Aaaa(Ipv6Addr),
    /// The name asked for is an alias of this one.
    Cname(String),
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The records, sent as they are even if they do not fit the question's type.
    pub records: Vec<Record>,
    /// How long they may be kept, in seconds.
    pub ttl: u32,
    /// The response code (RFC 1035, section 4.1.1): 0 for success.
    pub rcode: u8,
    /// Over UDP, only the sign that the answer is too long for it; over TCP all of it.
    pub truncated: bool,
    /// How long the answer takes.
    pub delay: Duration,
    /// No answer at all.
    pub silent: bool,
}

impl Answer {
    /// These records, for a minute.
    pub fn records(records: Vec<Record>) -> Self {
        Self {
            records,
            ttl: 60,
            rcode: 0,
            truncated: false,
            delay: Duration::ZERO,
            silent: false,
        }
    }

    /// Those of the addresses that the question is about; none is the proper
    /// answer for a name that has only addresses of the other family.
    pub fn addresses(question: &Question, addresses: &[IpAddr]) -> Self {
        let fitting = addresses.iter().filter_map(|address| match (question.kind, address) {
            (QueryType::A, IpAddr::V4(address)) => Some(Record::A(*address)),
            (QueryType::Aaaa, IpAddr::V6(address)) => Some(Record::Aaaa(*address)),
            _ => None,
        });
        Self::records(fitting.collect())
    }

    /// No such name (code 3).
    pub fn no_such_name() -> Self {
        Self::failure(3)
    }

    /// The server failed (code 2).
    pub fn server_failure() -> Self {
        Self::failure(2)
    }

    /// A failure with this code, such as 5 for refused.
    pub fn failure(rcode: u8) -> Self {
        Self {
            rcode,
            ..Self::records(Vec::new())
        }
    }

    /// Nothing, however long the client waits.
    pub fn silence() -> Self {
        Self {
            silent: true,
            ..Self::records(Vec::new())
        }
    }

    /// The same with another time to live, in seconds.
    pub fn with_ttl(mut self, seconds: u32) -> Self {
        self.ttl = seconds;
        self
    }

    /// The same after a while.
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// The same, in full only over TCP.
    pub fn only_tcp(mut self) -> Self {
        self.truncated = true;
        self
    }
}
