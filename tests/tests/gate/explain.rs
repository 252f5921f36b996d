//! Explanations say what happens.

use serde_json::{Value, json};
use toolgate::gate::{Explanation, Outcome, Request};
use toolgate::session::outcome;
use toolgate::{Call, Config, ErrorKind, Mode};
use toolgate_tests::rig::Rig;

fn rig(configure: impl FnOnce(&mut Config)) -> Rig {
    let mut config = Config::default();
    configure(&mut config);
    let mode = config.permissions.mode;
    Rig::with_config(
        config,
        |base| {
            std::fs::write(base.join("W/a"), "a").unwrap();
            std::fs::write(base.join("O/a"), "a").unwrap();
        },
        |builder| builder.mode(mode),
    )
}

fn explain(rig: &Rig, tool: &str, arguments: Value) -> Explanation {
    let mut explained = rig.session().explain(tool, arguments).unwrap();
    assert_eq!(explained.len(), 1);
    explained.remove(0)
}

#[test]
fn the_deciding_rule_and_the_change_are_named() {
    let rig = rig(|config| {
        config.permissions.deny = vec!["stat:*".to_owned(), "write_file:**/secret".to_owned()];
        config.path_scope.deny = vec!["*.key".to_owned()];
    });
    let denied = explain(&rig, "write_file", json!({"path": "secret", "content": ""}));
    assert_eq!(
        (denied.outcome, &*denied.rule.id),
        (Outcome::Refuse, "permissions.deny[1]")
    );
    assert!(denied.change.unwrap().contains("write_file:**/secret"));

    let outside = explain(&rig, "read_file", json!({"path": "../O/a"}));
    assert_eq!((outside.outcome, &*outside.rule.id), (Outcome::Ask, "scope.outside"));
    let change = outside.change.unwrap();
    assert!(
        change.contains("path_scope.allow_paths") && change.contains("/O/a:r"),
        "{change}"
    );
    assert!(outside.choices.len() > 2);

    let pattern = explain(&rig, "read_file", json!({"path": "x.key"}));
    assert_eq!(
        (pattern.outcome, &*pattern.rule.id),
        (Outcome::Refuse, "path_scope.deny[0]")
    );

    let asked = explain(&rig, "write_file", json!({"path": "a", "content": ""}));
    assert_eq!((asked.outcome, &*asked.rule.id), (Outcome::Ask, "mode.ask"));

    let read = explain(&rig, "read_file", json!({"path": "a"}));
    assert_eq!((read.outcome, &*read.rule.id), (Outcome::Pass, "scope.read"));
}

#[test]
fn nothing_happens_and_nobody_is_asked() {
    let rig = rig(|config| config.permissions.mode = Mode::Yolo);
    let explained = explain(&rig, "write_file", json!({"path": "new", "content": "x"}));
    assert_eq!(explained.outcome, Outcome::Pass);
    assert!(!rig.inside().join("new").exists());
}

#[test]
fn mistakes_are_those_of_the_call() {
    let rig = rig(|_| {});
    let session = rig.session();
    let error = session.explain("read_fil", json!({})).unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotFound);
    assert!(error.message.contains("read_file"));
    let error = session.explain("read_file", json!({"pth": "a"})).unwrap_err();
    assert_eq!(error.kind, ErrorKind::InvalidArguments);
}

/// Over all modes and many calls: an explanation says what the call then does,
/// and a refusal carries the id that the explanation named.
#[tokio::test]
async fn explanations_and_calls_agree() {
    let mut compared = 0;
    for mode in Mode::ALL {
        let rig = rig(|config| {
            config.permissions.mode = mode;
            config.permissions.allow = vec!["write_file:allowed/*".to_owned(), "bash:make*".to_owned()];
            config.permissions.deny = vec!["write_file:denied/*".to_owned(), "bash:rm*".to_owned()];
            config.path_scope.deny = vec!["./hidden/...".to_owned()];
        });
        let session = rig.session();
        for (tool, arguments) in [
            ("read_file", json!({"path": "a"})),
            ("read_file", json!({"path": "../O/a"})),
            ("read_file", json!({"path": "hidden/x"})),
            ("write_file", json!({"path": "a", "content": "x"})),
            ("write_file", json!({"path": "allowed/x", "content": "x"})),
            ("write_file", json!({"path": "denied/x", "content": "x"})),
            ("write_file", json!({"path": "../O/x", "content": "x"})),
            ("write_file", json!({"path": ".agents/config.json", "content": "{}"})),
            ("delete_file", json!({"path": "hidden/x"})),
        ] {
            let explained = session.explain(tool, arguments.clone()).unwrap();
            let called = session.call(Call::new(tool, arguments.clone())).await;
            let denied = called.as_ref().err().filter(|error| error.kind == ErrorKind::Denied);
            match (outcome(&explained), denied) {
                (Outcome::Pass, None) => {}
                (Outcome::Refuse, Some(error)) => {
                    assert_eq!(
                        error.rule.as_ref().unwrap().id,
                        explained[0].rule.id,
                        "{tool} {arguments}"
                    );
                }
                // Nobody can be asked here.
                (Outcome::Ask, Some(_)) => {}
                other => panic!("{mode}, {tool} {arguments}: {other:?}"),
            }
            compared += 1;
        }
        for command in ["make", "make x", "rm x", "ls | cat", "rm -rf /", "grep -r x ."] {
            let request = Request::Command(command);
            let explained = session.explain_request(&request);
            let checked = session.check(&request).await;
            assert_eq!(explained.outcome == Outcome::Pass, checked.is_ok(), "{mode}, {command}");
            if let (Outcome::Refuse, Err(error)) = (explained.outcome, checked) {
                assert_eq!(error.rule.unwrap().id, explained.rule.id, "{mode}, {command}");
            }
            compared += 1;
        }
    }
    assert_eq!(compared, Mode::ALL.len() * 15);
}
