use super::*;

fn matches(pattern: &str, line: &str) -> bool {
    let mut matcher = compile(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
    let found = matcher.find(line.as_bytes(), 0, line.len()).is_some();
    // The variant for buffers must never miss what the pattern itself finds.
    assert!(
        !found || matcher.candidate(line.as_bytes(), 0).is_some(),
        "{pattern} on {line:?}"
    );
    found
}

#[test]
fn re2_syntax() {
    let cases: &[(&str, &[&str], &[&str])] = &[
        (r"\d", &["3"], &["\u{663}"]),
        (r"^\w+$", &["a_1"], &["é"]),
        (r"^\W$", &["é", "-"], &["a"]),
        (r"\s", &[" ", "\t"], &["\u{a0}", "\x0b"]),
        (r"\bb", &["éb"], &["ab"]),
        (r"\Qa.b\E", &["a.b"], &["axb"]),
        (r"x\Q(", &["x("], &["x"]),
        (r"[[a]]", &["a]", "[]"], &["a", "["]),
        (r"^[a&&b]$", &["a", "&", "b"], &["c"]),
        (r"^[a~~b]$", &["~"], &["-"]),
        (r"^[]a]$", &["]", "a"], &["b"]),
        (r"^[^]a]$", &["b"], &["]", "a"]),
        (r"^[\w-]$", &["-", "a"], &["+"]),
        (r"^[\D]$", &["a"], &["1"]),
        (r"^[[:alpha:]_]$", &["a", "_"], &["1", ":"]),
        (r"^[[:x]$", &["[", ":", "x"], &["y"]),
        (r"^[+--]$", &["+", ",", "-"], &["."]),
        (r"^[\x41-\x{43}]$", &["B"], &["D"]),
        (r"interface{}", &["interface{}"], &["interface"]),
        (r"fn \w+\(\) {", &["fn main() {"], &["fn main()"]),
        (r"^a{2}$", &["aa"], &["a"]),
        (r"^a{,2}$", &["a{,2}"], &["aa"]),
        (r"\<a\>", &["<a>"], &["a"]),
        (r"\101", &["A"], &["1"]),
        (r"(?i)^foo", &["FOObar"], &["xfoo"]),
        (r"(?P<n>a)(?<m>b)(?:c)", &["abc"], &["ab"]),
        (r"^\pL\p{Greek}$", &["aα"], &["αa"]),
        (r"a.c", &["a\rc", "aéc"], &["ac"]),
        (r"^$", &[""], &["x"]),
        (r"\Ax\z", &["x"], &["xx"]),
        (r"(?m)^x", &["x"], &["\rx"]),
    ];
    for (pattern, yes, no) in cases {
        for line in *yes {
            assert!(matches(pattern, line), "{pattern} should match {line:?}");
        }
        for line in *no {
            assert!(!matches(pattern, line), "{pattern} should not match {line:?}");
        }
    }
}

#[test]
fn what_is_not_supported_says_so() {
    let cases = [
        ("", "empty"),
        ("(unclosed", "(unclosed"),
        ("(?=a)", "look-around is unsupported"),
        ("(?<!a)b", "look-around is unsupported"),
        (r"(a)\1", "back-references are unsupported"),
        ("(?P=n)", "back-references"),
        ("(?x)a b", "(?x"),
        ("[a", "closing"),
        ("[b-a]", "backwards"),
        ("a{1001}", "1000"),
        ("((a{1000}){1000}){1000}", "too large"),
        (r"\y", r"\y"),
        ("a\\", "backslash"),
        ("*", "repetition"),
        (r"\p{Nope}", "Unicode"),
    ];
    for (pattern, part) in cases {
        let error = compile(pattern)
            .err()
            .unwrap_or_else(|| panic!("{pattern} was accepted"));
        assert!(error.message.contains(part), "{pattern}: {error}");
        assert!(error.message.contains("pattern"), "{pattern}: {error}");
    }
}
