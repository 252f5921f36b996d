//! How much a session may keep, and what names look like.

use super::StoreError;

/// Longest key of a value, in bytes.
pub const KEY_BYTES: usize = 256;
/// Longest value, in bytes.
pub const VALUE_BYTES: usize = 1 << 20;
/// Most keys of one space in one session.
pub const KEYS: u64 = 64;
/// Most bytes of values in one session, all spaces together.
pub const STATE_BYTES: u64 = 16 << 20;
/// Most bytes of raw payloads in one session (FX-08).
pub const PAYLOAD_BYTES: u64 = 100 << 20;
/// Longest id of a payload, in bytes.
pub const CALL_ID_BYTES: usize = 128;
/// Longest name of a session, space or tool, in bytes. Such names are chosen by
/// operators and plugin authors; the bound keeps a mistake from filling the disk.
pub const NAME_BYTES: usize = 256;

/// Checks what a value is addressed by.
pub(super) fn state_address(session: &str, space: &str, key: &str) -> Result<(), StoreError> {
    name("session", session)?;
    name("space", space)?;
    if (1..=KEY_BYTES).contains(&key.len()) {
        return Ok(());
    }
    Err(StoreError::Quota(format!(
        "a key has 1 to {KEY_BYTES} bytes; this one has {}",
        key.len()
    )))
}

/// Checks what a payload is addressed by.
pub(super) fn payload_address(session: &str, call_id: &str) -> Result<(), StoreError> {
    name("session", session)?;
    self::call_id(call_id)
}

/// Checks the name of a session, space or tool; `what` is one of these words.
pub(super) fn name(what: &str, name: &str) -> Result<(), StoreError> {
    if (1..=NAME_BYTES).contains(&name.len()) {
        return Ok(());
    }
    Err(StoreError::InvalidId(format!(
        "the name of a {what} has 1 to {NAME_BYTES} bytes; this one has {}",
        name.len()
    )))
}

/// Checks the length of a value.
pub(super) fn value(value: &[u8]) -> Result<(), StoreError> {
    if value.len() <= VALUE_BYTES {
        return Ok(());
    }
    Err(StoreError::Quota(format!(
        "a value has at most {VALUE_BYTES} bytes; this one has {}",
        value.len()
    )))
}

/// Checks the id of a payload. Ids come from callers and turn up in results
/// and logs, so they hold nothing that could be taken for anything else.
fn call_id(id: &str) -> Result<(), StoreError> {
    let length = (1..=CALL_ID_BYTES).contains(&id.len());
    let characters = id
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    if length && characters && id.bytes().any(|byte| byte != b'.') {
        return Ok(());
    }
    let shown: String = id.chars().take(CALL_ID_BYTES).collect();
    let rest = if shown.len() < id.len() { "…" } else { "" };
    Err(StoreError::InvalidId(format!(
        "a call_id has 1 to {CALL_ID_BYTES} letters, digits, `-`, `_` and `.`, not only dots; this one is {shown:?}{rest}"
    )))
}

/// Checks a payload on its own.
pub(super) fn payload(raw: &str) -> Result<u64, StoreError> {
    match u64::try_from(raw.len()) {
        Ok(bytes) if bytes <= PAYLOAD_BYTES => Ok(bytes),
        _ => Err(StoreError::Quota(format!(
            "the raw payloads of a session have at most {PAYLOAD_BYTES} bytes in total; this one alone has {}",
            raw.len()
        ))),
    }
}
