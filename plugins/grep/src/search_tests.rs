use super::*;
use crate::pattern::compile;

/// The numbers of the matching lines, with the text fed in pieces of some size.
fn search(pattern: &str, text: &[u8], piece: usize) -> Vec<u64> {
    let mut matcher = compile(pattern).unwrap();
    let mut lines = Vec::new();
    let mut on_match = |found: Found<'_>| {
        lines.push(found.line);
        ControlFlow::Continue(())
    };
    let read = |offset: u64| {
        let rest = &text[offset as usize..];
        let bytes = rest[..rest.len().min(piece)].to_vec();
        let end = bytes.len() == rest.len();
        Ok::<_, ()>((bytes, end))
    };
    assert_eq!(
        Search::new(&mut matcher, &mut on_match).run(Vec::new(), false, read),
        Ok(ControlFlow::Continue(()))
    );
    lines
}

/// What the definition says: split into lines, drop one CR, search each.
fn expected(pattern: &str, text: &[u8]) -> Vec<u64> {
    let mut matcher = compile(pattern).unwrap();
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let numbered = (1..).zip(lines);
    numbered
        .filter(|(_, line)| {
            let line = without_cr(line.strip_suffix(b"\n").unwrap_or(line));
            matcher.find(line, 0, line.len()).is_some()
        })
        .map(|(number, _)| number)
        .collect()
}

#[test]
fn buffers_give_what_single_lines_give() {
    let texts: [&[u8]; 12] = [
        b"",
        b"\n",
        b"\n\n",
        b"x",
        b"x\r\ny\r\n",
        b"x\r\r\nx\r",
        b"a\rb\nb\ra\r\n",
        b"one\ntwo\nthree\n",
        b"\xef\xbb\xbfx\nx\n",
        b"caf\xe9 x\n\xffx\n",
        b"a b\nab\n\nb a",
        b"xx\n\r\n \nx x\n",
    ];
    let patterns = [
        "x", "^x", "x$", "^x$", "^$", "^", "$", r"\Ax", r"x\z", r"x\s", r"\s", r"[^a]", r"[^a]+b", ".", "a.b", r"\r",
        r"\r$", r"^b", r"a$", r"\bx", r"\Bx", r"\B", "x*", r"a\nb", "a|x\n|^b", r"(?s).+", r"(?m)^b$", r"t\w+",
        "(?i)X",
    ];
    for text in texts {
        for pattern in patterns {
            for piece in [1, 2, 3, 64] {
                let lines = search(pattern, text, piece);
                assert_eq!(lines, expected(pattern, text), "{pattern} on {text:?} by {piece}");
            }
        }
    }
}

#[test]
fn lines_too_long_to_hold_are_searched() {
    let mut text = b"first\n".to_vec();
    text.resize(2 * LONG_LINE + 4321, b'-');
    text.extend_from_slice(b" needle end\r\nneedle\n");
    for position in [100, LONG_LINE, LONG_LINE + 6 - 3, LONG_LINE + 300] {
        let mut text = text.clone();
        text[position..position + 6].copy_from_slice(b"middle");
        assert_eq!(search("middle", &text, 300_000), [2], "at {position}");
    }
    assert_eq!(search("needle", &text, 300_000), [2, 3]);
    assert_eq!(search("end$", &text, 300_000), [2]);
    assert_eq!(search("^-", &text, 300_000), [2]);
    assert_eq!(search("^ ?needle", &text, 300_000), [3]);
    assert_eq!(search("-$", &text, 300_000), [0_u64; 0]);
}

#[test]
fn lines_found_by_a_literal_are_those_that_match() {
    let text = b"needle\nx needle\r\nxneedle y\n\nneedlex needl\nxxneedle\nxneedle\r\r\n  xneedle needle\nxneedle";
    for pattern in [
        r"\wneedle",
        r"x+needle$",
        r"^x+needle",
        r"^\w*needle\r",
        r"\w+needle\s*\w",
        r"\w+needle$|^",
        r"\B.needle\b",
    ] {
        for piece in [1, 2, 7, 64, 1000] {
            let lines = search(pattern, text, piece);
            assert_eq!(lines, expected(pattern, text), "{pattern} by {piece}");
        }
    }
}
