//! A window of lines out of a text that arrives in pieces.

use super::LineCounter;

/// Collects the lines `offset .. offset + limit` of a text fed piece by piece, holding no more
/// than the window and, of that, no more than the output limits need.
#[derive(Debug)]
pub struct LineWindow {
    /// Lines still to be skipped.
    skip: u64,
    /// Lines still to be taken.
    take: u64,
    max_bytes: usize,
    max_lines: u64,
    kept: Vec<u8>,
    kept_lines: u64,
    counter: LineCounter,
    bytes: u64,
}

impl LineWindow {
    /// A window that skips `offset` lines and takes `limit` (`None`: all the rest), and stops to
    /// collect beyond `max_bytes` bytes or `max_lines` lines.
    pub fn new(offset: u64, limit: Option<u64>, max_bytes: usize, max_lines: usize) -> Self {
        Self {
            skip: offset,
            take: limit.unwrap_or(u64::MAX),
            max_bytes,
            max_lines: max_lines as u64,
            kept: Vec::new(),
            kept_lines: 0,
            counter: LineCounter::default(),
            bytes: 0,
        }
    }

    /// Makes room at once for a window of about `bytes` bytes.
    pub fn reserve(&mut self, bytes: usize) {
        self.kept.reserve(bytes);
    }

    /// Takes the next piece.
    pub fn feed(&mut self, piece: &[u8]) {
        self.bytes += piece.len() as u64;
        let mut rest = Piece::new(piece);
        self.counter.add(piece, rest.terminators);
        if self.skip > 0 {
            let skipped = rest.take_lines(self.skip);
            self.skip -= skipped.terminators;
        }
        if self.skip == 0 && !self.is_complete() {
            let taken = rest.take_lines(self.take);
            self.take -= taken.terminators;
            self.kept_lines += taken.terminators;
            self.kept.extend_from_slice(taken.bytes);
        }
    }

    /// Whether further pieces cannot change what is kept: the window is full, or the output
    /// limits are exceeded.
    pub fn is_complete(&self) -> bool {
        self.take == 0 || self.kept.len() > self.max_bytes || self.kept_lines > self.max_lines
    }

    /// The lines fed so far, inside the window or not.
    pub fn total_lines(&self) -> u64 {
        self.counter.total()
    }

    /// The bytes fed so far, inside the window or not.
    pub fn total_bytes(&self) -> u64 {
        self.bytes
    }

    /// The bytes of the window; they may exceed the output limits by as much as one piece.
    pub fn into_bytes(self) -> Vec<u8> {
        self.kept
    }
}

/// Bytes with the number of LF in them, which is counted once because counting is much faster
/// than looking for each.
struct Piece<'a> {
    bytes: &'a [u8],
    terminators: u64,
}

impl<'a> Piece<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            terminators: memchr::memchr_iter(b'\n', bytes).count() as u64,
        }
    }

    /// Splits off the first `lines` lines, or everything if there are fewer.
    fn take_lines(&mut self, lines: u64) -> Self {
        let (end, terminators) = if lines > self.terminators {
            (self.bytes.len(), self.terminators)
        } else {
            let last = usize::try_from(lines - 1).unwrap_or(usize::MAX);
            let end = memchr::memchr_iter(b'\n', self.bytes).nth(last).map_or(0, |at| at + 1);
            (end, lines)
        };
        let (head, tail) = self.bytes.split_at(end);
        *self = Self {
            bytes: tail,
            terminators: self.terminators - terminators,
        };
        Self {
            bytes: head,
            terminators,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(text: &str, piece: usize, offset: u64, limit: Option<u64>) -> String {
        let mut window = LineWindow::new(offset, limit, usize::MAX, usize::MAX);
        text.as_bytes().chunks(piece).for_each(|piece| window.feed(piece));
        String::from_utf8(window.into_bytes()).unwrap()
    }

    #[test]
    fn windows_do_not_depend_on_the_pieces() {
        for piece in 1..9 {
            assert_eq!(window("1\n2\n3\n4\n", piece, 1, Some(2)), "2\n3\n");
            assert_eq!(window("1\n2\n3\n4\n", piece, 2, None), "3\n4\n");
            assert_eq!(window("1\n2\n3\n4\n", piece, 4, None), "");
            assert_eq!(window("x\r\ny\r\n", piece, 0, Some(1)), "x\r\n");
            assert_eq!(window("x\ny", piece, 1, None), "y");
        }
    }

    #[test]
    fn collecting_stops_beyond_the_limits() {
        let mut window = LineWindow::new(0, None, 10, usize::MAX);
        for _ in 0..100 {
            window.feed(b"12345678\n");
        }
        assert!(window.is_complete());
        assert_eq!(window.total_lines(), 100);
        assert_eq!(window.total_bytes(), 900);
        assert_eq!(window.into_bytes().len(), 18);
    }
}
