//! Text that nobody wrote: whatever comes, there is an outline or an error.

use super::{outline, real_files};

/// A small generator of pseudo-random numbers (xorshift), so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }
}

/// Removes, doubles, moves or replaces a few stretches of a text.
fn mutate(source: &str, random: &mut Random) -> String {
    const NOISE: [&str; 12] = [
        "{",
        "}",
        "(",
        "\"",
        "'''",
        "`",
        "/*",
        "\u{0}",
        "é\u{feff}",
        "\r\n",
        "#if",
        "<T>(",
    ];
    let mut bytes = source.as_bytes().to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len().max(1));
        let end = (at + random.below(200)).min(bytes.len());
        let stretch = match random.below(4) {
            0 => Vec::new(),
            1 => bytes[at..end].repeat(3),
            2 => NOISE[random.below(NOISE.len())].as_bytes().to_vec(),
            _ => vec![u8::try_from(random.below(256)).unwrap(); 1 + random.below(5)],
        };
        bytes.splice(at..end, stretch);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// `OUTLINE_MUTATIONS` sets how often each file is changed, for a longer run.
#[test]
fn mutated_files_never_panic() {
    let rounds = std::env::var("OUTLINE_MUTATIONS").map_or(20, |rounds| rounds.parse().unwrap());
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut outlines, mut errors) = (0, 0);
    for (path, source) in real_files() {
        for _ in 0..rounds {
            match outline(path.to_str().unwrap(), &mutate(&source, &mut random)) {
                Ok(_) => outlines += 1,
                Err(message) => {
                    assert!(message.contains("does not parse"), "{message}");
                    errors += 1;
                }
            }
        }
    }
    assert!(errors > outlines / 10, "{errors} errors, {outlines} outlines");
}

#[test]
fn deep_nesting_needs_no_deep_stack() {
    let deep = |open: &str, close: &str| [open.repeat(20_000), close.repeat(20_000)].concat();
    let cases = [
        ("a.go", format!("package p\nvar x = {}\n", deep("[]int{", "}"))),
        ("a.rs", deep("mod a {", "}")),
        ("a.js", format!("const x = {};\n", deep("[", "]"))),
        ("a.py", format!("x = {}\n", deep("(", ")"))),
        ("a.java", deep("class A {", "}")),
        ("a.cpp", deep("namespace a {", "}")),
        ("a.ts", deep("namespace a {", "}")),
        ("a.c", deep("(", "")),
    ];
    for (name, source) in cases {
        match outline(name, &source) {
            Ok(made) => assert!(!made.text.is_empty(), "{name}"),
            Err(message) => assert!(message.contains("does not parse"), "{message}"),
        }
    }
}
