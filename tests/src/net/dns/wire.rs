//! The wire format of DNS messages (RFC 1035, section 4), as far as a server of addresses needs it.

use super::answer::{Answer, QueryType, Record};

/// The longest message over UDP unless the client allows more (RFC 1035, section 2.3.4).
const UDP_LIMIT: usize = 512;
/// The type of the pseudo record of EDNS (RFC 6891, section 6.1.1).
const OPT: u16 = 41;
/// The class of the Internet.
const IN: u16 = 1;

/// A query with one question.
pub(super) struct Query {
    id: [u8; 2],
    recursion_desired: bool,
    /// The question section as received: some clients vary the case of the name
    /// and want it back unchanged.
    question: Vec<u8>,
    pub(super) name: String,
    pub(super) kind: QueryType,
    edns: bool,
    /// The longest answer over UDP that the client takes.
    pub(super) limit: usize,
}

/// Reads a query; none when it is not one.
pub(super) fn parse(message: &[u8]) -> Option<Query> {
    let flags = u16_at(message, 2)?;
    // A response, or another operation than a query.
    if flags & 0xf800 != 0 || u16_at(message, 4)? != 1 {
        return None;
    }
    let mut labels = Vec::new();
    let mut at = 12;
    loop {
        let length = usize::from(*message.get(at)?);
        at += 1;
        match length {
            0 => break,
            1..=63 => labels.push(String::from_utf8_lossy(message.get(at..at + length)?).to_ascii_lowercase()),
            _ => return None,
        }
        at += length;
    }
    let kind = u16_at(message, at)?;
    let question = message.get(12..at + 4)?.to_vec();
    let rest = &message[at + 4..];
    // The root name and the type; only then is the class field the longest message.
    let edns = rest.first() == Some(&0) && u16_at(rest, 1) == Some(OPT);
    let offered = if edns {
        u16_at(rest, 3).map_or(0, usize::from)
    } else {
        0
    };
    Some(Query {
        id: [message[0], message[1]],
        recursion_desired: flags & 0x0100 != 0,
        question,
        name: labels.join("."),
        kind: kind.into(),
        edns,
        limit: offered.max(UDP_LIMIT),
    })
}

/// Writes the answer. A cut one says that it is, and has no records.
pub(super) fn response(query: &Query, answer: &Answer, cut: bool) -> Vec<u8> {
    let records = if cut { &[][..] } else { &answer.records };
    // A response, with recursion available.
    let mut flags = 0x8080 | u16::from(answer.rcode & 0x0f);
    flags |= if query.recursion_desired { 0x0100 } else { 0 };
    flags |= if cut { 0x0200 } else { 0 };
    let mut message = query.id.to_vec();
    let count = u16::try_from(records.len()).expect("at most 65,535 records");
    for number in [flags, 1, count, 0, u16::from(query.edns)] {
        message.extend_from_slice(&number.to_be_bytes());
    }
    message.extend_from_slice(&query.question);
    let mut owner = query.name.clone();
    for record in records {
        let (kind, data) = match record {
            Record::A(address) => (QueryType::A, address.octets().to_vec()),
            Record::Aaaa(address) => (QueryType::Aaaa, address.octets().to_vec()),
            Record::Cname(target) => (QueryType::Cname, name(target)),
        };
        message.extend_from_slice(&name(&owner));
        message.extend_from_slice(&u16::from(kind).to_be_bytes());
        message.extend_from_slice(&IN.to_be_bytes());
        message.extend_from_slice(&answer.ttl.to_be_bytes());
        message.extend_from_slice(&u16::try_from(data.len()).expect("a short record").to_be_bytes());
        message.extend_from_slice(&data);
        if let Record::Cname(target) = record {
            owner.clone_from(target);
        }
    }
    if query.edns {
        // The root name, the type, our longest message (1232), no flags, no options.
        message.extend_from_slice(&[0, 0, 41, 0x04, 0xd0, 0, 0, 0, 0, 0, 0]);
    }
    message
}

fn name(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for label in text.trim_end_matches('.').split('.').filter(|label| !label.is_empty()) {
        let length = u8::try_from(label.len()).ok().filter(|length| *length <= 63);
        bytes.push(length.unwrap_or_else(|| panic!("{label:?} is longer than 63 bytes")));
        bytes.extend_from_slice(label.as_bytes());
    }
    bytes.push(0);
    bytes
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]))
}

impl From<u16> for QueryType {
    fn from(number: u16) -> Self {
        match number {
            1 => Self::A,
            28 => Self::Aaaa,
            5 => Self::Cname,
            65 => Self::Https,
            other => Self::Other(other),
        }
    }
}

impl From<QueryType> for u16 {
    fn from(kind: QueryType) -> Self {
        match kind {
            QueryType::A => 1,
            QueryType::Aaaa => 28,
            QueryType::Cname => 5,
            QueryType::Https => 65,
            QueryType::Other(number) => number,
        }
    }
}
