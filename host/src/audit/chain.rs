//! The chain: each line names the hash of the line before and its own.

use blake3::Hash;

/// What the first line of the first file names as the hash before.
pub(super) const START: Hash = Hash::from_bytes([0; 32]);

const PREV: &[u8] = b",\"prev\":\"";
const HASH: &[u8] = b"\",\"hash\":\"";
const END: &[u8] = b"\"}";
const HEX: usize = 64;
/// Bytes at the end of a line that belong to the chain.
const TAIL: usize = PREV.len() + HEX + HASH.len() + HEX + END.len();

/// How hashes are made.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Mac {
    /// BLAKE3: anybody can check the chain, and anybody can make another one.
    Plain,
    /// Keyed BLAKE3: only who has the key can do either.
    Keyed([u8; 32]),
}

impl Mac {
    /// The name in the first line of a file: `plain`, or `keyed:` and which key.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Plain => "plain".to_owned(),
            Self::Keyed(key) => {
                let id = blake3::derive_key("toolgate audit log, name of a key", key);
                format!("keyed:{}", &Hash::from_bytes(id).to_hex()[..16])
            }
        }
    }

    pub(super) fn hash(&self, bytes: &[u8]) -> Hash {
        match self {
            Self::Plain => blake3::hash(bytes),
            Self::Keyed(key) => blake3::keyed_hash(key, bytes),
        }
    }
}

/// A place in the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link {
    /// The number of the line, from 1, over all files.
    pub(super) seq: u64,
    /// Its hash.
    pub(super) hash: Hash,
}

impl Link {
    /// The place before the first line.
    pub(super) const START: Self = Self { seq: 0, hash: START };
}

/// Appends a whole line to `out`. Its hash covers every byte in front of `,"hash"`.
pub(super) fn seal(out: &mut Vec<u8>, mac: &Mac, seq: u64, body: &str, prev: &Hash) -> Link {
    let start = out.len();
    out.extend_from_slice(format!("{{\"seq\":{seq},").as_bytes());
    out.extend_from_slice(body.as_bytes());
    out.extend_from_slice(PREV);
    out.extend_from_slice(prev.to_hex().as_bytes());
    let hash = mac.hash(&out[start..]);
    out.extend_from_slice(HASH);
    out.extend_from_slice(hash.to_hex().as_bytes());
    out.extend_from_slice(END);
    out.push(b'\n');
    Link { seq, hash }
}

/// A line that is what was written.
#[derive(Debug)]
pub(super) struct Sealed<'a> {
    pub(super) link: Link,
    pub(super) prev: Hash,
    /// The kind, if the log speaks of itself.
    pub(super) event: Option<&'a str>,
}

/// Reads a line without its line break. `None` if any byte of it is not as it was written.
pub(super) fn unseal<'a>(mac: &Mac, line: &'a [u8]) -> Option<Sealed<'a>> {
    let sealed = read(line)?;
    let covered = &line[..line.len() - HASH.len() - HEX - END.len()];
    (mac.hash(covered) == sealed.link.hash).then_some(sealed)
}

/// Reads the form of a line and believes it.
pub(super) fn read(line: &[u8]) -> Option<Sealed<'_>> {
    let rest = line.get(line.len().checked_sub(TAIL)?..)?;
    let (prev, rest) = rest.strip_prefix(PREV)?.split_at_checked(HEX)?;
    let (hash, rest) = rest.strip_prefix(HASH)?.split_at_checked(HEX)?;
    let digits = line.strip_prefix(b"{\"seq\":")?;
    let comma = digits.iter().take(21).position(|byte| *byte == b',')?;
    let seq = std::str::from_utf8(&digits[..comma]).ok()?;
    // A sign or zeros in front would be another spelling of the same number.
    let number: u64 = seq.parse().ok().filter(|number: &u64| number.to_string() == seq)?;
    let event = digits[comma + 1..].strip_prefix(b"\"event\":\"").and_then(|name| {
        let end = memchr::memchr(b'"', name)?;
        std::str::from_utf8(&name[..end]).ok()
    });
    (rest == END).then_some(Sealed {
        link: Link {
            seq: number,
            hash: hex(hash)?,
        },
        prev: hex(prev)?,
        event,
    })
}

/// Lower case only: there is one spelling of a hash.
fn hex(digits: &[u8]) -> Option<Hash> {
    let lower = digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
    Hash::from_hex(digits).ok().filter(|_| lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_changed_byte_is_found() {
        let mac = Mac::Keyed([7; 32]);
        let mut line = Vec::new();
        let link = seal(&mut line, &mac, 12, r#""event":"lost","count":3"#, &START);
        line.pop();
        let sealed = unseal(&mac, &line).unwrap();
        assert_eq!((sealed.link, sealed.prev, sealed.event), (link, START, Some("lost")));
        assert!(unseal(&Mac::Plain, &line).is_none());
        assert!(unseal(&Mac::Keyed([8; 32]), &line).is_none());
        for at in 0..line.len() {
            for bit in 0..8 {
                let mut changed = line.clone();
                changed[at] ^= 1 << bit;
                assert!(unseal(&mac, &changed).is_none(), "byte {at}, bit {bit}");
            }
            assert!(unseal(&mac, &line[..at]).is_none());
            assert!(unseal(&mac, &line[at + 1..]).is_none());
        }
    }

    #[test]
    fn a_record_cannot_look_like_an_event() {
        let mut line = Vec::new();
        seal(
            &mut line,
            &Mac::Plain,
            1,
            r#""time":"","arguments":{"event":"torn"}"#,
            &START,
        );
        line.pop();
        assert_eq!(unseal(&Mac::Plain, &line).unwrap().event, None);
    }
}
