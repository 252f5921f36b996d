//! Lines that are longer than a message may be get an answer.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use rmcp::ErrorData;
use tokio::io::{AsyncRead, ReadBuf};

/// The method of the request that stands for a message that was too long.
const METHOD: &str = "toolgate/message-too-long";
/// Longest id that is looked for, in bytes of JSON.
const MAX_ID: usize = 256;

/// Passes bytes on as they are. The SDK drops a line beyond its limit without a word, and its
/// sender would wait for ever; so after such a line comes a short request with the same id, which
/// fails with the reason.
pub(super) struct LongLines<R> {
    inner: R,
    limit: usize,
    line: Line,
    /// What is handed on before anything else is read, and where it starts.
    waiting: Vec<u8>,
    at: usize,
    /// Bytes that came in the same read as the end of a long line.
    rest: Vec<u8>,
    /// Whether a line of proper length has passed: the first message opens the session.
    opened: bool,
}

impl<R> LongLines<R> {
    /// Watches for lines of more than `limit` bytes, line end included.
    pub(super) fn new(inner: R, limit: usize) -> Self {
        Self {
            inner,
            limit,
            line: Line::default(),
            waiting: Vec::new(),
            at: 0,
            rest: Vec::new(),
            opened: false,
        }
    }

    /// How many of these bytes may be handed on before something else must be: all, or those up to
    /// the end of a line that is too long.
    fn watch(&mut self, bytes: &[u8]) -> usize {
        let mut start = 0;
        while let Some(end) = memchr::memchr(b'\n', &bytes[start..]).map(|at| start + at + 1) {
            self.line.feed(&bytes[start..end]);
            let line = std::mem::take(&mut self.line);
            start = end;
            if line.bytes <= self.limit {
                self.opened = true;
            } else if let (true, Some(id)) = (self.opened, line.id) {
                let id = String::from_utf8_lossy(&id);
                self.waiting = format!(
                    "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{METHOD}\",\"params\":{{\"bytes\":{}}}}}\n",
                    line.bytes
                )
                .into_bytes();
                return end;
            }
        }
        self.line.feed(&bytes[start..]);
        bytes.len()
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for LongLines<R> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.at < self.waiting.len() {
            let count = buffer.remaining().min(self.waiting.len() - self.at);
            buffer.put_slice(&self.waiting[self.at..self.at + count]);
            self.at += count;
            return Poll::Ready(Ok(()));
        }
        self.waiting.clear();
        self.at = 0;
        let before = buffer.filled().len();
        if self.rest.is_empty() {
            ready!(Pin::new(&mut self.inner).poll_read(cx, buffer))?;
        } else {
            let count = buffer.remaining().min(self.rest.len());
            buffer.put_slice(&self.rest[..count]);
            self.rest.drain(..count);
        }
        let bytes = &buffer.filled()[before..];
        let watched = self.watch(bytes);
        // What comes after a long line has to wait, in front of what already waits.
        self.rest.splice(..0, bytes[watched..].iter().copied());
        buffer.set_filled(before + watched);
        Poll::Ready(Ok(()))
    }
}

/// The answer to that request; `None` for any other method.
pub(super) fn refusal(method: &str, params: Option<&serde_json::Value>) -> Option<ErrorData> {
    let bytes = params
        .and_then(|params| params.get("bytes"))
        .filter(|_| method == METHOD)?;
    Some(ErrorData::invalid_request(
        format!(
            "the message has {bytes} bytes, more than the {} that this server accepts; send less at a time",
            super::MAX_MESSAGE_BYTES
        ),
        None,
    ))
}

/// One line while it passes: its length, and the id of the JSON object in it, wherever that stands.
#[derive(Debug, Default)]
struct Line {
    bytes: usize,
    id: Option<Vec<u8>>,
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// The text or number that is read at the top of the object.
    token: Vec<u8>,
    /// Whether the last key at the top was `id` and its value comes now.
    of_id: bool,
}

impl Line {
    fn feed(&mut self, bytes: &[u8]) {
        self.bytes = self.bytes.saturating_add(bytes.len());
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if self.in_string && self.depth != 1 && !self.escaped {
                // Long texts lie below the top: on to the next byte that matters.
                match memchr::memchr2(b'"', b'\\', &bytes[at..]) {
                    Some(skipped) => at += skipped,
                    None => return,
                }
                self.string(bytes[at]);
            } else if self.in_string {
                self.keep(byte);
                self.string(byte);
            } else {
                self.between(byte);
            }
            at += 1;
        }
    }

    fn string(&mut self, byte: u8) {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' => self.escaped = true,
            b'"' => {
                self.in_string = false;
                if self.depth == 1 && self.of_id {
                    self.found();
                }
            }
            _ => {}
        }
    }

    fn between(&mut self, byte: u8) {
        match byte {
            b'"' => {
                self.in_string = true;
                self.token.clear();
                self.keep(byte);
            }
            b'{' | b'[' => {
                self.depth += 1;
                self.of_id = false;
            }
            b'}' | b']' | b',' => {
                if self.depth == 1 && self.of_id {
                    self.found();
                }
                self.token.clear();
                if byte != b',' {
                    self.depth = self.depth.saturating_sub(1);
                }
            }
            b':' if self.depth == 1 => {
                self.of_id = self.token == b"\"id\"";
                self.token.clear();
            }
            b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E' => self.keep(byte),
            _ => {}
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.token.len() <= MAX_ID {
            self.token.push(byte);
        }
    }

    fn found(&mut self) {
        let token = std::mem::take(&mut self.token);
        let is_id =
            serde_json::from_slice::<serde_json::Value>(&token).is_ok_and(|id| id.is_string() || id.is_number());
        if is_id && token.len() <= MAX_ID {
            self.id = Some(token);
        }
        self.of_id = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;

    fn id(line: &str) -> Option<String> {
        // However the bytes arrive.
        let whole = |size: usize| {
            let mut scanned = Line::default();
            line.as_bytes().chunks(size).for_each(|piece| scanned.feed(piece));
            scanned.id.map(|id| String::from_utf8(id).unwrap())
        };
        let one = whole(1);
        assert_eq!(one, whole(usize::MAX), "{line}");
        one
    }

    #[test]
    fn the_id_is_found_wherever_it_stands() {
        let cases = [
            (r#"{"jsonrpc":"2.0","id":7,"method":"x"}"#, Some("7")),
            (
                r#"{"method":"x","params":{"id":1,"a":["id",{"id":2}]},"id":"a\"b"}"#,
                Some(r#""a\"b""#),
            ),
            (
                r#"{"method":"x","params":{"content":"\"id\":9, \\"},"id" : -3 }"#,
                Some("-3"),
            ),
            (r#"{"id":null,"method":"x"}"#, None),
            (r#"{"method":"id","params":{}}"#, None),
            (r#"{"id":{"id":5}}"#, None),
            ("not json at all", None),
        ];
        for (line, expected) in cases {
            assert_eq!(id(line).as_deref(), expected, "{line}");
        }
    }

    #[tokio::test]
    async fn a_long_line_is_followed_by_a_request_of_the_same_id() {
        let short = "{\"id\":1}\n";
        let long = format!("{{\"x\":\"{}\",\"id\":2}}\n", "y".repeat(100));
        let input = format!("{short}{long}{short}");
        for room in [1, 7, 64, 4096] {
            let mut reader = LongLines::new(input.as_bytes(), 50);
            let mut output = Vec::new();
            let mut buffer = vec![0; room];
            loop {
                match reader.read(&mut buffer).await.unwrap() {
                    0 => break,
                    count => output.extend_from_slice(&buffer[..count]),
                }
            }
            let stand_in = format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"{METHOD}\",\"params\":{{\"bytes\":{}}}}}\n",
                long.len()
            );
            assert_eq!(
                String::from_utf8(output).unwrap(),
                format!("{short}{long}{stand_in}{short}"),
                "{room}"
            );
        }
    }
}
