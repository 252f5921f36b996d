use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{FirstPaths, MAX_PATTERN, Pattern};

fn matches(pattern: &str, path: &str) -> bool {
    Pattern::new(pattern).unwrap().matches(path)
}

fn problem(pattern: &str) -> String {
    Pattern::new(pattern).unwrap_err().message
}

#[test]
fn patterns_and_paths() {
    let cases = [
        ("*.go", "sub/util.go", true),
        ("*.go", "A.GO", false),
        ("*", ".hidden", true),
        ("a?c", "aéc", true),
        ("a?c", "a/c", false),
        ("a??c", "aéc", false),
        ("[é-ë]", "ê", true),
        ("[!b]x", "éx", true),
        ("[^b]x", "bx", false),
        ("[]]", "]", true),
        ("[a-]", "-", true),
        ("[!]-]", "-", false),
        (r"we\[i\]rd.txt", "we[i]rd.txt", true),
        (r"[\]]", "]", true),
        (r"\*", "x", false),
        ("test_*.py", "a/test_x.py", true),
        ("ab*ba", "aba", false),
        ("a*", "b/a", true),
        ("src/*.rs", "src/a.rs", true),
        ("src/*.rs", "src/b/a.rs", false),
        ("src/*.rs", "x/src/a.rs", false),
        ("**/*.rs", "b.rs", true),
        ("**/*.rs", "x/y/z.rs", true),
        ("**/src/*.rs", "a/src/b.rs", true),
        ("**/src/*.rs", "asrc/b.rs", false),
        ("a/**/b", "a/b", true),
        ("a/**/b", "a/x/y/b", true),
        ("a/**/b", "ab", false),
        ("a/**", "a/b/c", true),
        ("a/**", "a", false),
        ("**", "a/b", true),
        ("a/**.rs", "a/b/c.rs", true),
        ("a/x**", "a/xy/z", true),
        ("**.rs", "a/b.rs", true),
        ("./x", "x", true),
        ("./x", "a/x", false),
        ("a//./b", "a/b", true),
        ("*.{rs,toml}", "a.toml", true),
        ("{a,b{c,d}}", "bd", true),
        ("{a,b{c,d}}", "ad", false),
        ("{src,tests}/**/*.{rs,md}", "tests/a/b.md", true),
        ("{*.md,src/*.rs}", "a/b.md", true),
        ("a{,.bak}", "a", true),
        ("a{/,/x/}b", "a/x/b", true),
        ("{*,x}*/b", "a/c/b", true),
        ("a,b}", "a,b}", true),
        ("*a*a*b", "aaab", true),
    ];
    for (pattern, path, expected) in cases {
        assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
    }
}

#[test]
fn what_cannot_match_is_an_error_that_says_why() {
    let cases = [
        ("", "empty"),
        ("[x", "a `[` is not closed"),
        ("[]", "a `[` is not closed"),
        ("[a-", "a `[` is not closed"),
        (r"[\", "a `[` is not closed"),
        ("[z-a]", "`z-a` is empty"),
        (r"a\", "lone `\\`"),
        ("{a", "a `{` is not closed"),
        ("{a,[}", "a `[` is not closed"),
        ("/etc/*", "as `path`"),
        ("{a,/b}", "absolute"),
        ("src/", "ends in `/`"),
        ("a/../b", "`..`"),
        ("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "more than 256"),
        ("{{{{{{{{{a}}}}}}}}}", "nested"),
    ];
    for (pattern, part) in cases {
        let message = problem(pattern);
        assert!(message.contains(part), "{message}");
        assert!(message.contains(&format!("pattern `{pattern}`")), "{message}");
    }
    let long = problem(&"é".repeat(MAX_PATTERN));
    assert!(long.contains("8192 bytes") && long.len() < 1000, "{long}");
}

#[test]
fn as_many_alternatives_as_allowed() {
    let pattern = "{a,b}".repeat(8);
    assert!(matches(&pattern, "abababab") && !matches(&pattern, "ababababa"));
}

#[test]
fn directories_that_a_walk_need_not_enter() {
    let cases = [
        ("*.rs", "any/where", true),
        ("src/*.rs", "src", true),
        ("src/*.rs", "srcs", false),
        ("src/*.rs", "target", false),
        ("src/*.rs", "src/deep", false),
        ("src/**/*.rs", "src/deep/er", true),
        ("a*/b/**", "ax", true),
        ("a*/b/**", "ax/c", false),
        ("**/b/c", "x/y", true),
        ("./x", "a", false),
        ("{a,b}/x", "b", true),
        ("a/x**y", "a/b/c", false),
        ("a/x**y", "a/xb/c", true),
    ];
    for (pattern, directory, expected) in cases {
        let found = Pattern::new(pattern).unwrap().may_match_below(directory);
        assert_eq!(found, expected, "{pattern} {directory}");
    }
}

#[test]
fn the_path_is_built_only_if_the_name_does_not_decide() {
    let pattern = Pattern::new("src/*.rs").unwrap();
    assert!(!pattern.matches_entry("a.md", || -> String { panic!("a.md cannot match") }));
    assert!(pattern.matches_entry("a.rs", || "src/a.rs"));
    let anywhere = Pattern::new("**/*.rs").unwrap();
    assert!(anywhere.matches_entry("a.rs", || -> String { panic!("a.rs matches wherever it lies") }));
}

#[test]
fn no_pattern_takes_exponential_time() {
    let started = Instant::now();
    let name = "a".repeat(250);
    assert!(!matches(&format!("{}b", "*a".repeat(100)), &name));
    let path = format!("{}a", "a/".repeat(100));
    assert!(!matches(&format!("{}b", "**/a*/".repeat(30)), &path));
    assert!(!matches(&format!("x/{}b", "**a".repeat(30)), &format!("x/{path}")));
    assert!(!matches(&format!("**/{}b", "*a*/".repeat(30)), &path));
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[test]
fn the_first_paths_within_both_limits() {
    let kept = |max_paths, max_bytes, paths: &[&str]| {
        let mut first = FirstPaths::new(max_paths, max_bytes, str::len);
        paths.iter().for_each(|path| first.add((*path).to_owned()));
        assert_eq!(first.total(), paths.len() as u64);
        first.into_sorted()
    };
    assert_eq!(kept(2, 100, &["c", "a", "d", "b"]), ["a", "b"]);
    assert_eq!(kept(0, 100, &["c", "a"]), [""; 0]);
    // A path that does not fit keeps out all after it, however short they are.
    assert_eq!(kept(9, 4, &["aa", "ccc", "d", "b"]), ["aa", "b"]);
    assert_eq!(kept(9, 4, &["d", "ccc", "aa", "b"]), ["aa", "b"]);
}

/// The choices of the braces of a pattern, taken apart as text.
fn braces(pattern: &str) -> Vec<String> {
    let Some(open) = pattern.rfind('{') else {
        return vec![pattern.to_owned()];
    };
    let close = open + pattern[open..].find('}').unwrap();
    pattern[open + 1..close]
        .split(',')
        .flat_map(|choice| braces(&format!("{}{choice}{}", &pattern[..open], &pattern[close + 1..])))
        .collect()
}

/// Tries every way to match, one character at a time.
fn naive(pattern: &[char], text: &[char], name_start: bool) -> bool {
    let some = |rest: &[char], admitted: fn(char) -> bool| {
        let longest = text.iter().take_while(|&&char| admitted(char)).count();
        (0..=longest).any(|taken| naive(rest, &text[taken..], false))
    };
    match pattern {
        [] => text.is_empty(),
        ['*', '*', '/', rest @ ..] if name_start => {
            naive(rest, text, true)
                || (0..text.len()).any(|slash| text[slash] == '/' && naive(pattern, &text[slash + 1..], true))
        }
        ['*', '*', rest @ ..] => some(rest, |_| true),
        ['*', rest @ ..] => some(rest, |char| char != '/'),
        ['?', rest @ ..] => matches!(text, [char, after @ ..] if *char != '/' && naive(rest, after, false)),
        ['[', '!', no, ']', rest @ ..] => {
            matches!(text, [char, after @ ..] if !['/', *no].contains(char) && naive(rest, after, false))
        }
        [char, rest @ ..] => text.first() == Some(char) && naive(rest, &text[1..], *char == '/'),
    }
}

fn reference(pattern: &str, path: &str) -> bool {
    let chars = |text: &str| text.chars().collect::<Vec<_>>();
    braces(pattern).iter().any(|pattern| {
        let text = if pattern.contains('/') {
            path
        } else {
            path.rsplit('/').next().unwrap()
        };
        naive(&chars(pattern), &chars(text), true)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn agrees_with_trying_every_way(
        pattern in r"([abé*?/]|\*\*/|/\*\*|\[!a\]|\{[ab*/]{0,2},[ab?]{0,2}\}){1,7}",
        path in "[abé]{1,3}(/[abé]{1,3}){0,3}",
    ) {
        // Three `*` and empty names are left to the table above.
        let plain = |text: &String| !text.contains("***") && !text.contains("//");
        if let Ok(compiled) = Pattern::new(&pattern) && braces(&pattern).iter().all(plain) {
            prop_assert_eq!(compiled.matches(&path), reference(&pattern, &path));
            if compiled.matches(&path) {
                for (slash, _) in path.match_indices('/') {
                    prop_assert!(compiled.may_match_below(&path[..slash]), "{}", &path[..slash]);
                }
            }
        }
    }

    #[test]
    fn never_panics(pattern in r"[ab*?/\[\]{},!^\\.é-]{0,20}", path in r"[ab/\\é.]{0,12}") {
        if let Ok(compiled) = Pattern::new(&pattern) {
            compiled.matches(&path);
            compiled.may_match_below(&path);
            compiled.matches_entry(&path, || &pattern);
        }
    }

    #[test]
    fn the_order_of_arrival_does_not_matter(
        paths in prop::collection::vec("[abc]{1,4}", 0..12),
        max_paths in 0..6_usize,
        max_bytes in 0..16_usize,
    ) {
        let mut first = FirstPaths::new(max_paths, max_bytes, str::len);
        paths.iter().cloned().for_each(|path| first.add(path));
        let mut expected = paths;
        expected.sort();
        expected.truncate(max_paths);
        while expected.iter().map(String::len).sum::<usize>() > max_bytes {
            expected.pop();
        }
        prop_assert_eq!(first.into_sorted(), expected);
    }
}
