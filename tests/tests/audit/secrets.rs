//! Secrets in arguments and messages do not reach the disk.

use serde_json::{Value, json};
use toolgate::Call;

use crate::stage::{Stage, text};

const CANARY: &str = "c4n4ryQ7xZ";

#[tokio::test]
async fn secrets_do_not_stand_in_the_log() {
    let stage = Stage::new();
    let session = stage.rig.session();
    let token = format!("ghp_{CANARY}0123456789abcdefABCD");
    let under_names = json!({
        "token": CANARY, "apiKey": CANARY, "API_KEY": CANARY, "password": [CANARY, {"deep": CANARY}],
        "headers": {"Authorization": format!("Bearer {CANARY}"), "Cookie": format!("a={CANARY}")},
        "clientSecret": {"value": CANARY},
    });
    let in_texts = json!({
        "url": format!("https://joe:{CANARY}@example.org/x?a=1&access_token={CANARY}&b=2"),
        "command": format!("TOKEN={CANARY} curl -u joe:{CANARY} -H 'X-Api-Key: {CANARY}' https://example.org"),
        "text": format!("here is {token} and https://{CANARY}@h/ and {{\"password\": \"{CANARY}\"}}"),
        format!("name token={CANARY}"): 1,
    });
    let calls: [(&str, Value); 7] = [
        ("no_such_tool", under_names.clone()),
        ("no_such_tool", in_texts.clone()),
        (&token, json!({})),
        ("stat", under_names),
        ("write_file", json!({"path": "b.txt", "content": in_texts.to_string()})),
        (
            "read_file",
            json!({"path": format!("https://joe:{CANARY}@example.org/x")}),
        ),
        ("grep", json!({"path": ".", "pattern": format!("(password={CANARY}")})),
    ];
    for (tool, arguments) in &calls {
        let _ = session.call(Call::new(*tool, arguments.clone())).await;
    }
    let records = stage.records();
    assert_eq!(records.len(), calls.len());
    assert_eq!(records[4]["outcome"], "ok", "{}", records[4]);
    let text = text(&stage.log());
    assert!(!text.contains(CANARY), "{text}");
    assert_eq!(records[0]["arguments"]["apiKey"], "[secret]");
    assert!(
        records[1]["arguments"]["url"]
            .as_str()
            .unwrap()
            .starts_with("https://[secret]@example.org/x?a=1&")
    );
    assert!(stage.verified().is_complete());
}

#[tokio::test]
async fn what_callers_send_cannot_make_a_line() {
    let stage = Stage::new();
    let session = stage.rig.session();
    let hostile = "x\n{\"seq\":9,\"event\":\"file\"}\u{1b}[2J\u{202e}\r";
    let arguments = json!({hostile: hostile, "path": hostile, "event": "lost"});
    let _ = session.call(Call::new(hostile, arguments.clone())).await;
    let _ = session.call(Call::new("stat", arguments)).await;
    let records = stage.records();
    assert_eq!(records.len(), 2);
    assert_eq!(records[0]["tool"], hostile);
    let text = text(&stage.log());
    assert_eq!(text.lines().count(), 3);
    assert!(!text.contains(['\u{1b}', '\u{202e}', '\r']), "{text:?}");
    assert!(stage.verified().is_complete());
}
