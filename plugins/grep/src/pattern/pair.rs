//! Looking for a literal by two of its bytes, over a block of positions at a time.
//!
//! Two comparisons over a whole block compile to vector instructions without a branch between
//! them, which is what vectors of 16 bytes need to keep up with the memory.

use memchr::memmem::Finder;

/// Positions that are looked at together.
const BLOCK: usize = 256;

/// A searcher for one literal of at least two bytes.
#[derive(Debug)]
pub(crate) struct Pair {
    finder: Finder<'static>,
    /// Offsets of the two rarest bytes in the literal, and those bytes.
    rare: [(usize, u8); 2],
}

impl Pair {
    /// None if the literal is too short.
    pub(crate) fn new(literal: &[u8]) -> Option<Self> {
        let mut order: Vec<usize> = (0..literal.len()).collect();
        order.sort_by_key(|at| frequency(literal[*at]));
        let [first, second, ..] = order.as_slice() else {
            return None;
        };
        Some(Self {
            rare: [*first, *second].map(|at| (at, literal[at])),
            finder: Finder::new(literal).into_owned(),
        })
    }

    /// The literal.
    #[cfg(test)]
    pub(crate) fn literal(&self) -> &[u8] {
        self.finder.needle()
    }

    /// The first position, not before `from`, at which the literal stands.
    pub(crate) fn find(&self, text: &[u8], from: usize) -> Option<usize> {
        let length = self.finder.needle().len();
        let mut at = from;
        while let Some(block) = text.get(at..at + BLOCK + length - 1) {
            if self.may_start_in(block)
                && let Some(found) = self.finder.find(block)
            {
                return Some(at + found);
            }
            at += BLOCK;
        }
        self.finder.find(&text[at..]).map(|found| at + found)
    }

    /// Whether both bytes are in place for any of the first positions of `block`.
    fn may_start_in(&self, block: &[u8]) -> bool {
        let [(first, a), (second, b)] = self.rare;
        let column = |offset: usize| block[offset..].first_chunk::<BLOCK>();
        let (Some(at_first), Some(at_second)) = (column(first), column(second)) else {
            return true;
        };
        let mut any = 0;
        for (x, y) in at_first.iter().zip(at_second) {
            any |= u8::from(*x == a) & u8::from(*y == b);
        }
        any != 0
    }
}

/// How often a byte is met in text and source, roughly; the order is all that matters.
fn frequency(byte: u8) -> usize {
    const COMMON: &[u8] = b" etaoinsrldcupmfhg_b.,()\"yvwk=:;x0/-1{}SETCAI'<>2RNLPMDOq&BFj*zU[]#3VGH";
    match COMMON.iter().position(|common| *common == byte) {
        Some(position) => COMMON.len() - position,
        // Parts of characters beyond ASCII are common where they are met at all.
        None => usize::from(!byte.is_ascii()) * COMMON.len() / 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_a_plain_search_finds() {
        for literal in [
            &b"_async"[..],
            b"ab",
            b"aaa",
            b"zzzzzzzzzzzzzzzzzzzzz!",
            b"\xc3\xa9t\xc3\xa9",
        ] {
            let pair = Pair::new(literal).unwrap();
            for length in [0, 1, 5, 254, 255, 256, 257, 260, 261, 262, 511, 512, 513, 1100] {
                let mut text = vec![b'a'; length];
                for (at, byte) in text.iter_mut().enumerate().skip(1).step_by(3) {
                    *byte = literal[at % literal.len()];
                }
                for place in (0..length.saturating_sub(literal.len())).step_by(7) {
                    let mut text = text.clone();
                    text[place..place + literal.len()].copy_from_slice(literal);
                    for from in [0, place, place + 1] {
                        let expected = memchr::memmem::find(&text[from..], literal).map(|at| from + at);
                        assert_eq!(pair.find(&text, from), expected, "{length} {place} {from}");
                    }
                }
                assert_eq!(pair.find(&text, 0), memchr::memmem::find(&text, literal));
            }
        }
    }
}
