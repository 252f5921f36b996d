//! `toolgate approvals` and `toolgate call --approvals`.

use serde_json::{Value, json};

use crate::stage::{Stage, finish, outcome, until, write};

#[test]
fn questions_are_listed_and_answered_from_elsewhere() {
    let stage = Stage::new();
    let mut rpc = stage.session(&["--approvals"]);
    let server = stage.http(&["--approvals"]);
    assert_eq!(stage.run(&["approvals"]).stdout, "");
    let one = rpc.begin("tools/call", write("one.txt"));
    let two = std::thread::scope(|scope| {
        let two = scope.spawn(|| server.request("tools/call", write("two.txt")).message());
        // Of both servers.
        let pending = stage.pending(2);
        let of = |name: &str| {
            let ends = |prompt: &&Value| prompt["detail"].as_str().is_some_and(|detail| detail.ends_with(name));
            pending.iter().find(ends).expect("its question").clone()
        };
        assert_eq!(of("one.txt")["kind"], "file_write");
        let choices = of("one.txt")["choices"].as_array().expect("choices").clone();
        assert_eq!(choices[0]["decision"], "deny");
        assert!(
            choices
                .iter()
                .all(|choice| choice["covers"].as_str().is_some_and(|covers| !covers.is_empty()))
        );

        let done = stage.answer(&of("two.txt")["id"], "y");
        assert_eq!(done.status, Some(0), "{done:?}");
        let acknowledged = done.json();
        assert_eq!(acknowledged["decision"], "allow-once");
        assert_eq!(acknowledged["approver"], toolgate::approvals::this_user());
        assert_eq!(stage.answer(&of("one.txt")["id"], "deny").status, Some(0));
        // Once is once.
        let again = stage.answer(&of("two.txt")["id"], "y");
        assert_eq!(again.status, Some(1), "{again:?}");
        assert_eq!(again.json()["kind"], "not_found");
        assert!(
            again.json()["error"]
                .as_str()
                .is_some_and(|error| error.contains("has been answered"))
        );
        two.join().expect("an answer")
    });
    assert!(!outcome(&two).0, "{two}");
    assert!(outcome(&rpc.answer(&one.into())).0);
    assert_eq!(stage.tree.read("one.txt"), None);
    assert_eq!(stage.tree.read("two.txt").as_deref(), Some("x"));
}

#[test]
fn wrong_answers_are_explained() {
    let stage = Stage::new();
    let mut rpc = stage.session(&["--approvals"]);
    rpc.begin("tools/call", write("b.txt"));
    let prompt = stage.pending(1).remove(0);
    let offered: Vec<&str> = prompt["choices"]
        .as_array()
        .expect("choices")
        .iter()
        .filter_map(|choice| choice["decision"].as_str())
        .collect();
    assert!(
        !offered.contains(&"allow-session-verb"),
        "a file has no verb: {offered:?}"
    );
    let done = stage.answer(&prompt["id"], "v");
    assert_eq!(
        (done.status, done.json()["kind"].as_str()),
        (Some(1), Some("invalid_arguments"))
    );
    let text = done.json()["error"].to_string();
    assert!(offered.iter().all(|decision| text.contains(decision)), "{text}");

    let done = stage.answer(&prompt["id"], "alow-once");
    assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""));
    for part in ["alow-once", "did you mean \"allow-once\"", "allow-always-directory"] {
        assert!(done.stderr.contains(part), "{part}: {done:?}");
    }
    let done = stage.answer(&json!("0123456789abcdef01234567"), "y");
    assert_eq!(
        (done.status, done.json()["kind"].as_str()),
        (Some(1), Some("not_found"))
    );
    stage.pending(1);

    let done = stage.run(&["approvals", "watch"]);
    assert_eq!(done.status, Some(2), "{done:?}");
    assert!(done.stderr.contains("terminal"), "{done:?}");
    let done = stage.run(&["approvals", "--json", "watch"]);
    assert_eq!(done.status, Some(2), "{done:?}");
}

#[test]
fn a_single_call_waits_if_it_is_told_to() {
    let stage = Stage::new();
    let arguments = json!({"path": "b.txt", "content": "x"});
    let (status, error) = finish(stage.call(&[], "write_file", &arguments));
    assert_eq!((status, &error["kind"]), (Some(1), &json!("denied")), "{error}");
    assert_eq!(stage.sockets().len(), 0, "without --approvals there is no socket");

    let call = stage.call(&["--approvals"], "write_file", &arguments);
    let prompt = stage.pending(1).remove(0);
    assert_eq!(
        prompt["arguments"],
        json!({"content": "x", "path": prompt["arguments"]["path"]})
    );
    assert_eq!(stage.answer(&prompt["id"], "allow-once").status, Some(0));
    let (status, result) = finish(call);
    assert_eq!(status, Some(0), "{result}");
    assert_eq!(stage.tree.read("b.txt").as_deref(), Some("x"));
    assert_eq!(stage.sockets().len(), 0);

    let call = stage.call(
        &["--approvals"],
        "write_file",
        &json!({"path": "c.txt", "content": "x"}),
    );
    let id = stage.pending(1)[0]["id"].clone();
    assert_eq!(stage.answer(&id, "n").status, Some(0));
    let (status, error) = finish(call);
    assert_eq!((status, &error["kind"]), (Some(1), &json!("denied")), "{error}");
}

#[test]
fn sockets_of_dead_servers_are_cleared_away() {
    let stage = Stage::new();
    let mut rpc = stage.session(&["--approvals"]);
    rpc.begin("tools/call", write("b.txt"));
    stage.pending(1);
    drop(rpc); // Killed, so that it cannot clear up.
    assert_eq!(stage.sockets().len(), 1);
    assert_eq!(stage.run(&["approvals"]).stdout, "");
    assert_eq!(stage.sockets().len(), 0);

    let killed = stage.session(&[]);
    until("its socket", || (stage.sockets().len() == 1).then_some(()));
    drop(killed);
    let _next = stage.session(&[]);
    assert_eq!(stage.sockets().len(), 1, "a server that starts clears up, too");
}

#[test]
fn a_state_directory_that_cannot_be_used_is_told() {
    let stage = Stage::new();
    std::fs::write(stage.state().join("toolgate/approvals"), "a file").expect("a file");
    let arguments = r#"{"path": "b.txt", "content": "x"}"#;
    let done = stage.run(&["--root", stage.root(), "call", "--approvals", "write_file", arguments]);
    assert_eq!(done.status, Some(2), "{done:?}");
    assert!(
        done.stderr.contains("--approvals") && done.stderr.contains("toolgate/approvals"),
        "{done:?}"
    );
    // Who did not ask for it is served without.
    let mut rpc = stage.session(&[]);
    assert_eq!(rpc.call("stat", json!({"path": "a.txt"}))["result"]["isError"], false);
    assert_eq!(rpc.close(), Some(0));
}
