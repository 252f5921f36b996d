//! Files that get no outline, and what is said of them.

use super::outline;
use crate::file::Kind;
use crate::refusal;

#[test]
fn an_unknown_extension_is_quoted_and_the_known_ones_are_listed() {
    let error = outline("/w/notes.XYZ", "").map(|made| made.text).unwrap_err();
    for part in [
        "/w/notes.XYZ",
        "\".xyz\"",
        "Go (.go)",
        "C++ (.cc, .cpp",
        ".bash, .rb, .sh",
        "read_file",
    ] {
        assert!(error.contains(part), "{part} is not in {error}");
    }
}

#[test]
fn no_extension_is_called_so() {
    for name in ["/w.d/Makefile", "/w/name."] {
        let error = outline(name, "").map(|made| made.text).unwrap_err();
        assert!(error.contains("no extension") && !error.contains("\"\""), "{error}");
    }
}

#[test]
fn read_file_is_named_only_if_it_exists() {
    let message = Kind::of("/w/a.md", false).unwrap_err().message;
    assert!(
        !message.contains("read_file") && message.contains("read its lines"),
        "{message}"
    );
    let message = refusal::too_large("/w/a.go", 9, 8, false).message;
    assert!(!message.contains("read_file"), "{message}");
    let message = Kind::of("/w/a.go", false)
        .unwrap()
        .outline("", "a.go", false)
        .unwrap_err();
    assert!(!message.message.contains("read_file"), "{message}");
}

#[test]
fn a_syntax_error_is_named_by_base_name_and_place() {
    let cases = [
        ("a.go", "package p\n\nfunc f( {\n", "a.go:3:9:"),
        ("a.go", "package p\nfunc f() {\n\tx := := 1\n}\n", "a.go:3:7:"),
        (
            "gen.go",
            "package p\n//line grammar.y:900\n\nfunc f() {}\nfunc g( {\n",
            "gen.go:5:9:",
        ),
        ("a.rs", "mod a {\n    fn b() {}\n\n    fn c() -> { }\n}\n", "a.rs:4:15:"),
        (
            "a.py",
            "def f():\n    return 1\n\ndef g(b)\n    return 2\n",
            "a.py:4:9:",
        ),
        ("a.js", "function a() {}\nconst x = {a: 1, b 2};\n", "a.js:2:20:"),
        ("a.ts", "interface A {\n  b: ;\n}\n", "a.ts:2:6:"),
        ("a.tsx", "const a = <b>;\n", "a.tsx:2:1:"),
        ("A.java", "class A {\n  void m() {\n    foo(;\n  }\n}\n", "A.java:3:9:"),
        ("a.c", "int a;\nAPI int b(void);\n", "macro"),
        ("a.h", "class A {\n  int b;\n  int operator(;\n};\n", "a.h:3:16:"),
        ("a.c", "class A {\n};\n", "a.c:1:1: a body without parameters"),
        ("a.cpp", "class API A : B {\n};\n", "a.cpp:1:"),
        ("a.h", "int f(;\n", "a.h:1:7:"),
    ];
    for (name, source, part) in cases {
        let error = outline(&format!("/w/{name}"), source)
            .map(|made| made.text)
            .unwrap_err();
        assert!(error.contains(part), "{part} is not in {error}");
        assert!(
            error.contains("does not parse") && error.contains("read its lines"),
            "{error}"
        );
    }
}

#[test]
fn what_gos_grammar_tolerates_is_an_error_as_in_go() {
    let cases = [
        ("", "1:1: expected a package clause"),
        ("// only a comment\n", "expected a package clause"),
        ("import \"fmt\"\n", "1:1: expected a package clause"),
        ("package a\npackage b\n", "2:1: a second package clause"),
        ("package a\nx := 1\n", "2:1: not a declaration"),
    ];
    for (source, part) in cases {
        let error = outline("/w/a.go", source).map(|made| made.text).unwrap_err();
        assert!(error.contains(part), "{part} is not in {error}");
    }
}
