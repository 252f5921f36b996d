//! Nothing that a tool can reach leads to the socket, even where a root contains it.

use serde_json::json;
use toolgate_tests::support::{Rpc, share_cache_key};

use crate::stage::{Socket, Stage, until};

#[test]
fn no_tool_reaches_the_socket() {
    let stage = Stage::new();
    // The project contains the state directory, and the mode lets everything in scope pass.
    let state = stage.tree.root().join("state");
    share_cache_key(&state);
    let environment = [("XDG_STATE_HOME", state.as_os_str())];
    let mut rpc = Rpc::start_with(&environment, stage.root(), &["--mode", "yolo", "--approvals"]);
    rpc.initialise();
    let folder = state.join("toolgate/approvals");
    let socket = until("the socket", || {
        let path = std::fs::read_dir(&folder).ok()?.next()?.expect("an entry").path();
        path.extension().is_some_and(|ending| ending == "sock").then_some(path)
    });
    let folder = folder.to_str().expect("UTF-8");
    let path = socket.to_str().expect("UTF-8");
    for (tool, arguments) in [
        ("read_file", json!({"path": path})),
        ("stat", json!({"path": path})),
        ("list_dir", json!({"path": folder})),
        ("write_file", json!({"path": path, "content": "x"})),
        (
            "write_file",
            json!({"path": format!("{folder}/new.sock"), "content": "x"}),
        ),
        ("delete_file", json!({"path": path})),
        ("glob", json!({"pattern": "**", "path": folder})),
        (
            "read_file",
            json!({"path": format!("state/../{}", path.trim_start_matches(stage.root()))}),
        ),
    ] {
        let answer = rpc.call(tool, arguments.clone());
        assert_eq!(answer["result"]["isError"], true, "{tool} {arguments}: {answer}");
    }
    let listed = rpc.call("glob", json!({"pattern": "**/*", "path": "."}));
    assert!(!listed.to_string().contains(".sock"), "{listed}");
    // It is whole, and nobody has been asked anything.
    let mut client = Socket::connect(&socket);
    client.send(&json!({"request": "list"}));
    assert_eq!(client.line(), json!({"reply": "listed", "pending": 0}));
}
