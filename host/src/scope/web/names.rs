//! Names that tell by themselves where they lead, before any look-up.

/// Names of metadata services: Google Cloud documents the first two, Amazon EC2 the others.
const METADATA: &[&str] = &[
    "metadata.google.internal",
    "metadata.goog",
    "instance-data",
    "instance-data.ec2.internal",
];

/// Endings of names inside a network: reserved by RFC 6761, 6762 and 8375 and by ICANN, or in common use (RFC 6762, G).
const INTERNAL: &[&str] = &[
    "internal",
    "local",
    "localhost",
    "localdomain",
    "lan",
    "home",
    "corp",
    "intranet",
    "private",
    "home.arpa",
];

/// Whether a host name, without a dot at the end, is one of a metadata service or below it.
pub fn is_metadata_name(name: &str) -> bool {
    METADATA.iter().any(|known| is_at_or_below(name, known))
}

/// Whether a host name, without a dot at the end, is one that only a network's own name service knows.
pub fn is_internal_name(name: &str) -> bool {
    !name.contains('.') || INTERNAL.iter().any(|known| is_at_or_below(name, known))
}

/// Whether `name` is `top` or a subdomain of it.
fn is_at_or_below(name: &str, top: &str) -> bool {
    let Some(start) = name.len().checked_sub(top.len()) else {
        return false;
    };
    let (before, end) = name.as_bytes().split_at(start);
    end.eq_ignore_ascii_case(top.as_bytes()) && before.last().is_none_or(|byte| *byte == b'.')
}
