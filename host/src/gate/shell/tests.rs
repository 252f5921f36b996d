//! Limits and laws; what each command is taken for stands in the tables of vectors.

use super::*;

fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn deep_texts_are_refused_and_still_searched() {
    for (open, close) in [
        ("( ", " )"),
        ("{ ", "; }"),
        ("$(", ")"),
        ("((", "))"),
        ("\"$(", ")\""),
        ("${x:-", "}"),
        ("if ", "; then a; fi"),
        ("f() { ", "; }"),
        ("<(", ")"),
        ("a=$((", "))"),
    ] {
        for depth in [70, 1000, 10_000] {
            let text = nested(open, "rm x", close, depth);
            assert!(is_safe(&text).is_err(), "{open} {depth}");
            assert!(single_command(&text).is_err(), "{open} {depth}");
            simple_commands(&text);
            denied(&text);
            searches(&text);
        }
    }
    let text = nested("( ", "rm -rf /", " )", 1000);
    assert!(runs(&text, "rm"));
    assert_eq!(denied(&text), Some(Reason::RemoveEverything));
    assert!(is_safe(&text).unwrap_err().to_string().contains("nests too many"));
}

#[test]
fn long_texts_are_refused_and_still_searched() {
    let long = format!("cat {}", "a".repeat(MAX_BYTES));
    assert_eq!(is_safe(&long), Err(Unsafe::Unreadable(Failure::TooLong)));
    assert!(is_safe(&long[..MAX_BYTES]).is_ok());
    let text = format!("{long}; rm -rf /");
    assert!(runs(&text, "rm"));
    assert_eq!(denied(&text), Some(Reason::RemoveEverything));
}

#[test]
fn commands_wrapped_beyond_the_limit_count_as_every_command() {
    assert!(runs(&format!("{}rm x", "env ".repeat(30)), "rm"));
    assert!(!runs(&format!("{}rm x", "env ".repeat(30)), "ls"));
    assert!(runs(&format!("{}rm x", "env ".repeat(60)), "ls"));
}

#[test]
fn the_first_lines_of_a_broken_text_count() {
    assert!(runs("rm x\nif (", "rm"));
    assert!(runs("if true; then rm x", "rm"));
    assert!(runs("ls 'a\nrm x", "rm"));
}

#[test]
fn both_readings_count() {
    // Two commands for dash, one with a redirection for bash.
    assert!(runs("ls &>f rm x", "rm"));
    assert!(runs("((rm x))", "rm"));
    assert!(runs("x=(1 2); rm x", "rm"));
    assert!(!runs("echo rm x", "rm"));
}

#[test]
fn words_are_decoded_and_the_computed_ones_marked() {
    let found = simple_commands("a\\ b 'c d'\"e\" $x *.go ~/y {1,2} \"$(z)\"");
    let words: Vec<Option<&str>> = found
        .iter()
        .find(|words| words.name() == Some("a b"))
        .unwrap()
        .arguments()
        .iter()
        .map(Word::literal)
        .collect();
    assert_eq!(words, [Some("c de"), None, None, None, None, None]);
    assert!(found.iter().any(|words| words.name() == Some("z")));
}

#[test]
fn every_reason_says_what_is_in_the_way() {
    for (command, part) in [
        ("cat a; ls", "several commands"),
        ("cat a | ls", "pipeline"),
        ("cat a > b", "redirects"),
        ("cat $x", "$x is computed"),
        ("X=1 cat", "variable X"),
        ("sudo ls", "sudo runs whatever"),
        ("sort -o f x", "sort does more than read with -o"),
        ("sort *", "* may become an option of sort"),
        ("c?t a", "c?t is a pattern"),
        ("cat $\"a\"", "differently"),
        ("cat 'a", "' is not closed"),
        ("while a; do b; done", "while"),
        ("cat a\0b", "NUL"),
    ] {
        let reason = is_safe(command).unwrap_err().to_string();
        assert!(reason.contains(part), "{command}: {reason}");
    }
}

#[test]
fn only_blanks_of_the_shell_end_a_verb() {
    for blank in [' ', '\t', '\n'] {
        assert_eq!(verb(&format!("{blank}ls{blank}-la")), Some("ls"));
    }
    for part in ['\u{a0}', '\u{2003}', '\u{3000}', '\u{85}', '\r', '\u{b}', '\u{c}'] {
        let command = format!("ls{part}-la");
        assert!(verb(&command).is_none() && !covers("ls", &command), "{command:?}");
    }
}

#[test]
fn whatever_runs_a_command_is_a_wrapper() {
    for command in [
        "catchsegv rm x",
        "ltrace rm x",
        "flock f rm x",
        "watch rm x",
        "busybox rm x",
    ] {
        assert!(runs(command, "rm"), "{command}");
        assert!(matches!(is_safe(command), Err(Unsafe::Wrapper(_))), "{command}");
    }
    assert!(is_safe("command -v rm").is_ok());
}

#[test]
fn the_end_of_options_is_no_script() {
    for command in [
        "trap -- 'rm x' EXIT",
        "trap 'rm x' EXIT",
        "eval -- rm x",
        "eval -- 'rm x'",
        "eval rm x",
    ] {
        assert!(runs(command, "rm"), "{command}");
    }
}

#[test]
fn bundles_are_known_by_name() {
    for name in BUNDLES {
        let rules = bundle(name).unwrap();
        assert!(rules.iter().all(|rule| rule.contains(':')), "{name}");
        let mut unique = rules.to_vec();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), rules.len(), "{name}");
    }
    assert_eq!(bundle("readonly"), None);
    let names = |word: &str| bundle(DEFAULT_BUNDLE).unwrap().iter().any(|rule| rule.contains(word));
    assert!(names("bash:cat *") && !names("awk") && !names("sed"));
}
