//! The document that a call names.

use toolgate_plugin::{Call, Error, text};

use crate::Args;
use crate::document::{Place, parse_document};
use crate::value::Val;

/// The largest file, in bytes (FX-14): 64 MiB. A document of that size, its values and a result
/// fit into the memory of a call as long as the document is not mostly short numbers.
const LARGEST: u64 = 64 * 1024 * 1024;

/// Reads and parses the input.
pub(crate) fn read(data: Option<String>, call: &Call) -> Result<Val, Error> {
    match data {
        Some(data) => parse(data, "`data`").map_err(Error::invalid_arguments),
        None => read_file(call),
    }
}

fn read_file(call: &Call) -> Result<Val, Error> {
    let file = call.path(Args::PATH)?.open_file()?;
    if file.size() > LARGEST {
        return Err(Error::limit(format!(
            "input: {}: {} bytes, more than the limit of {LARGEST} bytes (64 MiB)",
            file.path(),
            file.size()
        )));
    }
    let bytes = file.read_all(LARGEST)?;
    if text::is_binary(&bytes) {
        return Err(Error::failed(format!(
            "input: {}: it is a binary file of {} bytes, not JSON",
            file.path(),
            bytes.len()
        )));
    }
    let document = decode(bytes, file.path()).map_err(Error::failed)?;
    parse(document, file.path()).map_err(Error::failed)
}

/// Takes bytes as UTF-8; an error names the first byte that is not.
fn decode(bytes: Vec<u8>, name: &str) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let place = Place::of(error.as_bytes(), offset);
        let byte = error.as_bytes().get(offset).copied().unwrap_or_default();
        format!("input: {name}: not UTF-8 at {place} (byte offset {offset}): found the byte 0x{byte:02x}")
    })
}

fn parse(document: String, name: &str) -> Result<Val, String> {
    parse_document(document).map_err(|(problem, place)| {
        format!(
            "input: {name} is not one JSON document: at {place} (byte offset {}): {}",
            problem.offset, problem.message
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_input_and_the_place() {
        let message = parse("{\"a\":1}\n{}".to_owned(), "`data`").unwrap_err();
        assert!(message.starts_with("input: `data` is not one JSON document: at line 2, column 1 (byte offset 8)"));
        let message = decode(b"[\"a\",\n\"\xff\"]".to_vec(), "/W/a.json").unwrap_err();
        assert_eq!(
            message,
            "input: /W/a.json: not UTF-8 at line 2, column 2 (byte offset 7): found the byte 0xff"
        );
    }
}
