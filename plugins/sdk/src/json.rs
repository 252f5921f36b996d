//! How much JSON something takes, for tools whose limit counts encoded bytes.

use std::io;

use serde::Serialize;

/// Bytes of the compact JSON of a value; the largest number for what is no JSON.
pub fn encoded_len<T: Serialize + ?Sized>(value: &T) -> usize {
    struct Count(usize);

    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut count = Count(0);
    serde_json::to_writer(&mut count, value).map_or(usize::MAX, |()| count.0)
}

/// Bytes of a text as a JSON string, quotes included. Counts what is escaped without encoding it.
pub fn string_len(text: &str) -> usize {
    // Sums of bytes that the compiler can put into vectors: a block cannot overflow them.
    const BLOCK: usize = 32;
    let escapes = |block: &[u8]| {
        let more = |byte: &u8| -> u8 {
            let escaped = u8::from(*byte == b'"') + u8::from(*byte == b'\\');
            let control = u8::from(*byte < 0x20) * 5;
            // These have a letter of their own instead of \u00XX.
            let letter = u8::from(matches!(*byte, 8 | 9 | 10 | 12 | 13)) * 4;
            escaped + control - letter
        };
        usize::from(block.iter().map(more).sum::<u8>())
    };
    text.len() + 2 + text.as_bytes().chunks(BLOCK).map(escapes).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_the_encoder() {
        let all: String = (0..0x250).filter_map(char::from_u32).collect();
        let control = "\u{1}".repeat(1000);
        for text in ["", "plain", "\"\\\u{7f}é€😀", &all, &control, &"\n".repeat(100)] {
            let expected = serde_json::to_string(text).unwrap().len();
            assert_eq!((string_len(text), encoded_len(text)), (expected, expected), "{text:?}");
        }
    }
}
