//! What lives here: the tool `retrieve_raw`.
//! What may call it: the host, through the exported `tool` interface.
//! What it must not touch: anything but the stored results of the session that calls it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolgate_plugin::payloads::{self, ReadError};
use toolgate_plugin::text::quoted;
use toolgate_plugin::{Call, Caps, Definition, DefinitionContext, Error, ErrorKind, Tool};

/// The most bytes that one call returns: as much as the largest result of another tool.
const LIMIT: u64 = 262_144;

/// The bytes that one call returns unless told otherwise (FX-28).
const DEFAULT_LIMIT: u64 = 65_536;

/// Arguments of `retrieve_raw`.
#[derive(Deserialize, JsonSchema)]
pub struct Args {
    /// The `call_id` that stands beside the digest.
    pub call_id: String,
    /// How many bytes to skip; 0 if absent. Continue with the `next_offset` of the last result.
    #[serde(default)]
    pub offset: u64,
    /// The most bytes to return, at most 262144; 65536 if absent.
    #[schemars(range(min = 1, max = 262_144))]
    pub limit: Option<u64>,
}

/// Result of `retrieve_raw`.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// The original result, or the part of it that was asked for, as JSON text.
    pub raw: String,
    /// Bytes in `raw`.
    pub bytes: u64,
    /// Bytes of the whole original.
    pub total_bytes: u64,
    /// The `offset` that continues where `raw` ends; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u64>,
}

/// The tool `retrieve_raw`.
pub struct RetrieveRaw;

impl Tool for RetrieveRaw {
    type Args = Args;
    type Output = Output;

    fn definition(_: &DefinitionContext) -> Definition {
        Definition::new(
            "retrieve_raw",
            "Return the original of a result that was answered with a digest, by the `call_id` beside the digest. \
             The digest is authoritative: do not call this to double-check it. Each call puts the original back \
             into the context and undoes what the digest saved. Call it only when the digest itself marks a field \
             that is needed as truncated, and prefer a narrower call of the tool that was digested. Returns up to \
             `limit` bytes from `offset`, by default the first 65536; more continues at `next_offset`. Originals \
             are kept for this session only.",
        )
        .read_only()
        .caps(Caps {
            max_bytes: 262_144,
            max_lines: 5000,
        })
    }

    fn call(args: Args, call: &Call) -> Result<Output, Error> {
        let limit = page_limit(args.limit, call.caps());
        let page = payloads::read(&args.call_id, args.offset, limit).map_err(|error| explain(error, &args))?;
        Ok(Output {
            bytes: page.text.len() as u64,
            raw: page.text,
            total_bytes: page.total_bytes,
            next_offset: page.next_offset,
        })
    }
}

/// Bytes of the page: what was asked for, within the output limit in force.
fn page_limit(asked: Option<u64>, caps: Caps) -> u64 {
    let cap = u64::try_from(caps.bytes()).unwrap_or(u64::MAX);
    asked.unwrap_or(DEFAULT_LIMIT).min(cap).min(LIMIT)
}

fn explain(error: ReadError, args: &Args) -> Error {
    let id = quoted(&args.call_id);
    match error {
        ReadError::InvalidId => Error::invalid_arguments(format!(
            "`call_id` is {id}, which cannot be one; copy the `call_id` that stands beside the digest"
        )),
        ReadError::NotFound => Error::not_found(format!(
            "nothing is stored for the call_id {id}: it may predate the store or be mistyped, or its result was \
             removed to make room; repeat the call that was digested, narrower if possible"
        )),
        ReadError::OutOfRange(total) => Error::invalid_arguments(format!(
            "`offset` is {}, but the result stored for {id} has {total} bytes; start before its end",
            args.offset
        )),
        ReadError::Unavailable(reason) => Error::new(
            ErrorKind::Unavailable,
            format!("the result stored for {id} cannot be read now: {reason}"),
        ),
    }
}

toolgate_plugin::export!(RetrieveRaw);

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(error: ReadError, call_id: &str) -> Error {
        let args = Args {
            call_id: call_id.to_owned(),
            offset: 7,
            limit: None,
        };
        explain(error, &args)
    }

    #[test]
    fn errors_have_a_kind_and_quote_the_id() {
        let cases = [
            (
                ReadError::InvalidId,
                ErrorKind::InvalidArguments,
                "`call_id` is \"nope\"",
            ),
            (ReadError::NotFound, ErrorKind::NotFound, "mistyped"),
            (
                ReadError::OutOfRange(5),
                ErrorKind::InvalidArguments,
                "`offset` is 7, but",
            ),
            (
                ReadError::Unavailable("the store is closed".to_owned()),
                ErrorKind::Unavailable,
                "the store is closed",
            ),
        ];
        for (error, kind, part) in cases {
            let error = explained(error, "nope");
            assert_eq!(error.kind, kind);
            assert!(
                error.message.contains(part) && error.message.contains("\"nope\""),
                "{}",
                error.message
            );
        }
        assert!(explained(ReadError::NotFound, &"x".repeat(100_000)).message.len() < 400);
    }

    #[test]
    fn pages_keep_every_limit() {
        let caps = |max_bytes| Caps {
            max_bytes,
            max_lines: 0,
        };
        let cases = [
            (None, 262_144, 65_536),
            (Some(100), 262_144, 100),
            (Some(1 << 40), 0, 262_144),
            (Some(200_000), 100_000, 100_000),
            (None, 1000, 1000),
        ];
        for (asked, cap, expected) in cases {
            assert_eq!(page_limit(asked, caps(cap)), expected, "{asked:?} {cap}");
        }
    }
}
