use proptest::prelude::*;

use super::super::*;
use super::*;

const CANARY: &str = "c4n4ryQ7x";

fn secret_name() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "token",
        "password",
        "apiKey",
        "API_KEY",
        "Authorization",
        "cookie",
        "client_secret",
        "accessToken",
        "db-password",
        "X-Auth-Token",
        "privateKey",
        "Set-Cookie",
    ])
    .prop_map(str::to_owned)
}

/// A text in which the canary stands as a secret does.
fn secret_text() -> impl Strategy<Value = String> {
    (secret_name(), "[a-z ]{0,300}", "[a-z]{0,8}", 0..9).prop_map(|(name, around, pad, form)| {
        let secret = format!("{pad}{CANARY}{pad}");
        let text = match form {
            0 => format!("https://joe:{secret}@example.org/x"),
            1 => format!("https://example.org/x?a=1&{name}={secret}&b=2"),
            2 => format!("{name}={secret} run"),
            3 => format!("curl -H '{name}: {secret}' https://example.org"),
            4 => format!("{{\"{name}\": \"{secret}\"}}"),
            5 => format!("x --{name} {secret} y"),
            6 => format!("Bearer {secret}"),
            7 => format!("curl -u joe:{secret} https://example.org"),
            _ => format!("postgres://joe:{secret}@db:5432/x"),
        };
        format!("{around} {text} {around}")
    })
}

fn harmless() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,20}".prop_map(Value::from)
    ]
}

fn with_secrets() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        2 => harmless(),
        2 => secret_text().prop_map(Value::from),
        1 => (secret_name(), 0..4).prop_map(|(name, form)| {
            let value = match form {
                0 => json!(CANARY),
                1 => json!([CANARY, {"deep": CANARY}]),
                2 => json!({"value": CANARY}),
                _ => json!(format!("{}{CANARY}", "x".repeat(1000))),
            };
            json!({name: value})
        }),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("[a-z]{1,6}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn secrets_never_reach_the_disk(arguments in with_secrets(), text in secret_text()) {
        let place = Place::new();
        let arguments = json!({"all": arguments, text.clone(): 1});
        let audit = place.open();
        audit.record_blocking(&Entry {
            origin: Some(&text),
            call_id: Some(&text),
            arguments: Some(&arguments),
            decision: Some(Decided { allowed: true, by: Some(&text), origin: Some(&text) }),
            approver: Some(Approver { who: &text, how: &text }),
            result: Some(&text),
            error: Some(Failure { kind: "failed", message: &text }),
            ..Entry::new(&text, &text)
        });
        drop(audit);
        let log = String::from_utf8(place.current()).unwrap();
        prop_assert!(!log.contains(CANARY), "{}", log);
        prop_assert!(place.verify().is_complete());
    }
}

#[test]
fn a_digest_does_not_depend_on_a_secret() {
    let place = Place::new();
    let audit = place.open();
    for secret in ["1234", "9999"] {
        let arguments = json!({"pin_token": secret, "url": format!("https://u:{secret}@h/")});
        audit.record_blocking(&Entry {
            arguments: Some(&arguments),
            ..Entry::new("s", "t")
        });
    }
    drop(audit);
    let lines = lines(&place.directory);
    assert_eq!(lines[1]["arguments_blake3"], lines[2]["arguments_blake3"]);
    assert_eq!(
        lines[1]["arguments"],
        json!({"pin_token": "[secret]", "url": "https://[secret]@h/"})
    );
}
