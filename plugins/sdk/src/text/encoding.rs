//! Bytes and UTF-8.

/// How many bytes decide whether a file is binary (FX-15): its first 8 KiB.
pub const BINARY_PREFIX: usize = 8 * 1024;

/// Whether a file that starts with these bytes is binary: a NUL byte in its first 8 KiB (FX-15).
pub fn is_binary(head: &[u8]) -> bool {
    memchr::memchr(0, &head[..head.len().min(BINARY_PREFIX)]).is_some()
}

/// Text decoded from bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The text, with U+FFFD for what was not UTF-8.
    pub text: String,
    /// How many bytes at its start are exactly those of the source; all of them if it was valid.
    pub exact: usize,
}

/// Decodes bytes as UTF-8. Valid text is not copied.
pub fn decode(bytes: Vec<u8>) -> Decoded {
    match String::from_utf8(bytes) {
        Ok(text) => Decoded {
            exact: text.len(),
            text,
        },
        Err(error) => Decoded {
            exact: error.utf8_error().valid_up_to(),
            text: String::from_utf8_lossy(error.as_bytes()).into_owned(),
        },
    }
}

/// The largest position up to `at` that does not split a UTF-8 character. Bytes that are not
/// UTF-8 move it back by at most three.
pub fn floor_boundary(bytes: &[u8], at: usize) -> usize {
    if at >= bytes.len() {
        return bytes.len();
    }
    let is_continuation = |position: usize| bytes[position] & 0b1100_0000 == 0b1000_0000;
    (at.saturating_sub(3)..=at)
        .rev()
        .find(|&position| !is_continuation(position))
        .unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nul_in_the_first_8_kib_is_binary() {
        let mut bytes = vec![b'x'; BINARY_PREFIX + 1];
        bytes[BINARY_PREFIX] = 0;
        assert!(!is_binary(&bytes));
        bytes[BINARY_PREFIX - 1] = 0;
        assert!(is_binary(&bytes));
        assert!(!is_binary(b""));
    }

    #[test]
    fn invalid_bytes_become_replacement_characters() {
        let lossy = decode(b"caf\xe9\n".to_vec());
        assert_eq!(
            lossy,
            Decoded {
                text: "caf\u{fffd}\n".to_owned(),
                exact: 3
            }
        );
        assert_eq!(
            decode("é".into()),
            Decoded {
                text: "é".to_owned(),
                exact: 2
            }
        );
    }

    #[test]
    fn boundaries_never_split_a_character() {
        let text = "aé€😀";
        for at in 0..=text.len() + 1 {
            let floor = floor_boundary(text.as_bytes(), at);
            assert!(floor <= at && text.is_char_boundary(floor), "{at} gave {floor}");
        }
        assert_eq!(floor_boundary(&[0x80; 10], 5), 5);
    }
}
