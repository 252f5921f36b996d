//! G24: exports of the wrong shape, and results that are none.

use toolgate::ErrorKind;

use crate::forge::{Forge, escape};
use crate::measure;
use crate::stage::{Stage, refusal};

/// Where texts of results lie, above what the definitions take.
const TEXTS: usize = 65_536;

#[tokio::test(flavor = "multi_thread")]
async fn g24_results_that_are_no_json_object_are_failures() {
    let _turn = measure::together();
    let deep = format!("{{\"a\":{}1{}}}", "[".repeat(1000), "]".repeat(1000));
    let long = format!("{{\"a\":\"{}\"}}", "x".repeat(300_000));
    let cases: &[(&str, &[u8], ErrorKind, &str)] = &[
        ("nothing", b"", ErrorKind::Failed, "not valid JSON"),
        ("text", b"hello", ErrorKind::Failed, "not valid JSON"),
        ("half an object", b"{\"a\":", ErrorKind::Failed, "not valid JSON"),
        ("two objects", b"{} {}", ErrorKind::Failed, "not valid JSON"),
        ("a list", b"[1]", ErrorKind::Failed, "not an object"),
        ("a number", b"1e3", ErrorKind::Failed, "not an object"),
        ("null", b"null", ErrorKind::Failed, "not an object"),
        ("a repeated key", b"{\"a\":1,\"a\":2}", ErrorKind::Failed, "twice"),
        (
            "a repeated key within",
            b"{\"b\":[{\"a\":1,\"\\u0061\":2}]}",
            ErrorKind::Failed,
            "twice",
        ),
        (
            "no UTF-8",
            b"{\"a\":\"\xff\"}",
            ErrorKind::Failed,
            "internal error of the tool",
        ),
        (
            "a lone surrogate",
            b"{\"a\":\"\\ud800\"}",
            ErrorKind::Failed,
            "not valid JSON",
        ),
        (
            "a control character",
            b"{\"a\":\"\x01\"}",
            ErrorKind::Failed,
            "not valid JSON",
        ),
        ("too deep", deep.as_bytes(), ErrorKind::Failed, "recursion limit"),
        ("too long", long.as_bytes(), ErrorKind::Limit, "bytes"),
    ];
    let stage = Stage::of(&returning(cases.iter().map(|(_, text, ..)| *text)));
    for (n, (what, _, kind, words)) in cases.iter().enumerate() {
        let error = stage.evil(n as u64).await.unwrap_err();
        assert_eq!(error.kind, *kind, "{what}: {error}");
        assert!(error.message.starts_with("evil: "), "{what}: {error}");
        assert!(error.message.contains(words), "{what}: {error}");
    }
    stage.is_well().await;
}

/// A plugin whose case `n` returns the text `n` as it is.
fn returning<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Forge {
    let mut items = String::new();
    let mut select = String::new();
    let mut at = TEXTS;
    for (n, text) in texts.enumerate() {
        items += &format!("(data (i32.const {at}) \"{}\")\n", escape(text));
        select += &format!(
            "(if (i64.eq (call $number (local.get $arguments) (local.get $arguments_len)) (i64.const {n}))
               (then
                 (i32.store (i32.const 64) (i32.const 0))
                 (i32.store (i32.const 68) (i32.const {at}))
                 (i32.store (i32.const 72) (i32.const {}))))\n",
            text.len()
        );
        at += text.len().next_multiple_of(16);
    }
    Forge {
        items,
        memory: "16".to_owned(),
        call: Some(format!("{select} (i32.const 64)")),
        ..Forge::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn g24_result_areas_of_the_wrong_shape_end_the_call() {
    let _turn = measure::together();
    let area = |stores: &str| format!("{stores} (i32.const 64)");
    let word = |at: u32, value: i64| format!("(i32.store (i32.const {at}) (i32.const {value}))");
    let cases = [
        ("an unknown case", area(&word(64, 2))),
        (
            "an unknown kind of error",
            area(&format!("{}{}", word(64, 1), word(68, 200))),
        ),
        (
            "1 GiB of text",
            area(&format!("{}{}{}", word(64, 0), word(68, 0), word(72, 1 << 30))),
        ),
        (
            "text beyond the memory",
            area(&format!("{}{}{}", word(64, 0), word(68, -8), word(72, 16))),
        ),
        ("a misaligned area", "(i32.const 65)".to_owned()),
        ("an area beyond the memory", "(i32.const -4)".to_owned()),
        (
            "a large text that is there",
            area(&format!(
                "(drop (memory.grow (i32.const 700))) {}{}{}",
                word(64, 0),
                word(68, 0),
                word(72, 40 << 20)
            )),
        ),
    ];
    for (what, call) in cases {
        let stage = Stage::of(&Forge {
            call: Some(call),
            ..Forge::default()
        });
        let error = stage.evil(0).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Failed, "{what}: {error}");
        assert!(error.message.contains("internal error of the tool"), "{what}: {error}");
        crate::panics::none();
        stage.is_well().await;
    }
}

/// An error of the tool is passed on, but not what would disturb a terminal, and not without end.
#[tokio::test(flavor = "multi_thread")]
async fn g24_error_messages_are_made_readable() {
    let _turn = measure::together();
    let stage = Stage::of(&Forge {
        items: format!(
            "(data (i32.const {TEXTS}) \"{}\")",
            escape(format!("\x1b[2J\u{9b}red\r\0{}", "x".repeat(100_000)).as_bytes())
        ),
        call: Some(format!(
            "(i32.store (i32.const 64) (i32.const 1))
             (i32.store (i32.const 68) (i32.const 2))
             (i32.store (i32.const 72) (i32.const {TEXTS}))
             (i32.store (i32.const 76) (i32.const 100000))
             (i32.const 64)"
        )),
        ..Forge::default()
    });
    let error = stage.evil(0).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Denied);
    assert!(
        !error
            .message
            .chars()
            .any(|char| char.is_control() && char != '\n' && char != '\t'),
        "{error}"
    );
    assert!(
        error.message.contains("red") && error.message.len() < 20_000,
        "{} bytes",
        error.message.len()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn g24_handles_that_are_not_held_end_the_call() {
    let _turn = measure::together();
    let stage = Stage::of(
        &Forge::running(
            "(call $read (i32.wrap_i64 (local.get $n)) (i64.const 10) (i64.const 0) (i32.const 64)) (i64.const 1)",
        )
        .importing(
            "(import \"wasi:filesystem/types@0.2.12\" \"[method]descriptor.read\"
               (func $read (param i32 i64 i64 i32)))",
        ),
    );
    for handle in [0, 1, 2, 3, 100, 1 << 20, u64::from(u32::MAX)] {
        stage.is_ended(handle).await;
    }
}

#[test]
fn g24_exports_of_another_shape_are_refused() {
    let _turn = measure::together();
    let with = |interface: &str| {
        let text = format!(
            "(component
               (core module $m
                 (func (export \"a\") (result i32) (i32.const 0))
                 (memory (export \"memory\") 1))
               (core instance $i (instantiate $m))
               (func $number (result u32) (canon lift (core func $i \"a\")))
               (instance $tool {interface})
               (export \"toolgate:plugin/tool@0.1.0\" (instance $tool)))"
        );
        wat::parse_str(text).unwrap_or_else(|error| panic!("{error}"))
    };
    for (what, interface, words) in [
        ("no functions", "", "does not have export `definitions`"),
        (
            "one function",
            "(export \"call\" (func $number))",
            "does not have export `definitions`",
        ),
        (
            "functions of another type",
            "(export \"definitions\" (func $number)) (export \"call\" (func $number))",
            "type mismatch with parameters",
        ),
    ] {
        let message = refusal(&with(interface));
        assert!(message.contains(words), "{what}: {message}");
    }
    let text = "(component (core module $m) (export \"toolgate:plugin/tool@0.1.0\" (core module $m)))";
    let message = refusal(&wat::parse_str(text).unwrap());
    assert!(message.contains("toolgate:plugin/tool@0.1.0"), "{message}");
}
