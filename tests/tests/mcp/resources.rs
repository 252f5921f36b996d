//! Digests and resources, as a client sees them that is not the SDK.

use serde_json::{Value, json};
use toolgate_tests::support::{Rpc, Server, Tree};

fn tree() -> Tree {
    let tree = Tree::new(&[]);
    for number in 0..200 {
        tree.write(&format!("many/file-{number:03}.txt"), "");
    }
    tree
}

/// A session of a given version of the protocol.
fn speaking(version: &str, root: &str, options: &[&str]) -> (Rpc, Value) {
    let mut rpc = Rpc::start(root, options);
    let client = json!({"name": "t", "version": "1"});
    let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
    let answer = rpc.request("initialize", params);
    rpc.notify("notifications/initialized", json!({}));
    (rpc, answer["result"].clone())
}

/// Links to resources came with the version of June 2025. A client of an older
/// one may refuse the whole result for them.
#[test]
fn older_clients_get_no_links() {
    let tree = tree();
    for (version, links) in [
        ("2024-11-05", 0),
        ("2025-03-26", 0),
        ("2025-06-18", 1),
        ("2025-11-25", 1),
    ] {
        let (mut rpc, opened) = speaking(version, tree.text(), &[]);
        assert_eq!(opened["protocolVersion"], version);
        let result = rpc.call("list_dir", json!({"path": "many"}))["result"].clone();
        let content = result["content"].as_array().expect("content");
        let found = content.iter().filter(|block| block["type"] == "resource_link").count();
        assert_eq!(found, links, "{version}: {result}");
        assert_eq!(content.len(), 1 + links);
        let text: Value = serde_json::from_str(content[0]["text"].as_str().expect("a text")).expect("JSON");
        assert!(
            text["call_id"].is_string(),
            "{version}: the way back without links: {text}"
        );
        let uri = format!("toolgate://payloads/{}", text["call_id"].as_str().expect("an id"));
        let read = rpc.request("resources/read", json!({"uri": uri}));
        assert_eq!(
            read["result"]["contents"][0]["text"].as_str().map(str::len),
            text["raw_bytes"].as_u64().and_then(|bytes| usize::try_from(bytes).ok()),
            "{version}"
        );
    }
}

#[test]
fn what_cannot_be_kept_is_not_offered() {
    let tree = tree();
    tree.write("off.toml", "[session]\nstore = \"off\"\n");
    let config = format!("{}/off.toml", tree.text());
    for options in [
        &["--no-digest"][..],
        &["--config", &config],
        &["--disable-tools", "retrieve_raw"],
    ] {
        let (mut rpc, opened) = speaking("2025-11-25", tree.text(), options);
        let capabilities = opened["capabilities"].as_object().expect("capabilities");
        assert!(capabilities.contains_key("tools"), "{options:?}");
        assert!(!capabilities.contains_key("resources"), "{options:?}: {opened}");
        let result = rpc.call("list_dir", json!({"path": "many"}))["result"].clone();
        assert_eq!(result["structuredContent"]["total"], 200, "{options:?}");
        assert_eq!(result["content"].as_array().map(Vec::len), Some(1), "{options:?}");
        // Who asks all the same gets an empty answer.
        let empty = |method: &str, list: &str, rpc: &mut Rpc| {
            let answer = rpc.request(method, json!({}));
            assert_eq!(answer["result"][list], json!([]), "{options:?}: {answer}");
        };
        empty("resources/list", "resources", &mut rpc);
        empty("resources/templates/list", "resourceTemplates", &mut rpc);
    }
    let (_rpc, opened) = speaking("2025-11-25", tree.text(), &[]);
    assert!(opened["capabilities"]["resources"].is_object(), "{opened}");
}

#[test]
fn an_unknown_resource_is_an_error_that_says_what_there_is() {
    let tree = tree();
    let mut rpc = Rpc::initialised(tree.text(), &[]);
    for uri in [
        "toolgate://payloads/nope",
        "toolgate://payloads/",
        "toolgate://payloads/..%2Fx",
        "file:///etc/passwd",
    ] {
        let answer = rpc.request("resources/read", json!({"uri": uri}));
        let text = answer["error"]["message"].as_str().expect("an error").to_owned();
        assert!(
            text.contains(uri) && text.contains("toolgate://payloads/{call_id}"),
            "{text}"
        );
    }
    let answer = rpc.request("resources/read", json!({"uri": "x".repeat(1 << 20)}));
    assert!(
        answer["error"].is_object() && answer.to_string().len() < 1000,
        "{answer}"
    );
    let answer = rpc.request("resources/list", json!({"cursor": "2"}));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
}

/// Requests without a session share one list, also when they come at once.
#[test]
fn the_list_persists_across_stateless_requests() {
    let tree = Tree::new(&[]);
    let server = Server::start(tree.text(), &[]);
    let todo = |arguments: Value| {
        let answer = server.request("tools/call", json!({"name": "todo", "arguments": arguments}));
        answer.message()["result"]["structuredContent"]["items"].clone()
    };
    std::thread::scope(|scope| {
        for number in 0..8 {
            let todo = &todo;
            scope.spawn(move || todo(json!({"action": "add", "text": number.to_string()})));
        }
    });
    let items = todo(json!({"action": "list"}));
    let ids: Vec<_> = items
        .as_array()
        .expect("items")
        .iter()
        .map(|item| item["id"].as_u64())
        .collect();
    assert_eq!(ids, (1..=8).map(Some).collect::<Vec<_>>());
    // A client with a session of its own has a list of its own.
    let opened = server.open_session();
    let session = opened.header("mcp-session-id").expect("a session id");
    let headers = [("Mcp-Session-Id", session), ("MCP-Protocol-Version", "2025-11-25")];
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "todo", "arguments": {"action": "list"}}});
    let answer = toolgate_tests::support::post(server.address(), &headers, &list.to_string()).message();
    assert_eq!(answer["result"]["structuredContent"]["items"], json!([]), "{answer}");
}
