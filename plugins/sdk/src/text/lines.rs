//! Counting lines.

/// Counts lines of a text that arrives in pieces: the number of LF, plus one if the last byte is
/// not LF; an empty text has none (FX-05).
#[derive(Debug, Default, Clone)]
pub struct LineCounter {
    terminators: u64,
    unterminated: bool,
}

impl LineCounter {
    /// Takes the next piece.
    pub fn feed(&mut self, piece: &[u8]) {
        self.add(piece, memchr::memchr_iter(b'\n', piece).count() as u64);
    }

    /// Takes the next piece, whose LF are already counted.
    pub(super) fn add(&mut self, piece: &[u8], terminators: u64) {
        if let Some(last) = piece.last() {
            self.terminators += terminators;
            self.unterminated = *last != b'\n';
        }
    }

    /// The number of lines so far.
    pub fn total(&self) -> u64 {
        self.terminators + u64::from(self.unterminated)
    }

    /// The lines of a whole text.
    pub fn count(text: &[u8]) -> u64 {
        let mut counter = Self::default();
        counter.feed(text);
        counter.total()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_by_terminators() {
        let cases: [(&[u8], u64); 6] = [(b"", 0), (b"\n", 1), (b"a", 1), (b"a\n", 1), (b"a\nb", 2), (b"\n\n", 2)];
        for (text, lines) in cases {
            assert_eq!(LineCounter::count(text), lines, "{text:?}");
        }
    }

    #[test]
    fn pieces_count_like_the_whole() {
        let mut counter = LineCounter::default();
        for piece in [&b"a"[..], b"", b"\nb", b"\n", b""] {
            counter.feed(piece);
        }
        assert_eq!(counter.total(), 2);
    }
}
