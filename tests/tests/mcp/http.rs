//! Sessions and stateless requests over HTTP.

use std::net::TcpListener;

use serde_json::{Value, json};
use toolgate_tests::support::{Server, Tree, post, run, send};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

#[test]
fn a_session_lives_until_it_is_deleted() {
    let tree = Tree::new(&[("a", "content of a\n")]);
    let server = Server::start(tree.text(), &[]);
    let opened = server.open_session();
    assert_eq!(opened.status, 200, "{opened:?}");
    assert_eq!(opened.message()["result"]["serverInfo"]["name"], "toolgate");
    let session = opened.header("mcp-session-id").expect("a session id").to_owned();
    assert!(session.len() >= 32, "an id that can be guessed: {session}");

    let headers = [
        ("Mcp-Session-Id", session.as_str()),
        ("MCP-Protocol-Version", "2025-11-25"),
    ];
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "read_file", "arguments": {"path": "a"}}});
    let answer = post(server.address(), &headers, &call.to_string()).message();
    assert!(
        answer["result"]["structuredContent"]["content"]
            .to_string()
            .contains("content of a"),
        "{answer}"
    );

    let head = format!(
        "DELETE /mcp HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nMcp-Session-Id: {session}\r\n\r\n",
        server.address()
    );
    assert_eq!(send(server.address(), head.as_bytes(), b"").status, 204);
    assert_eq!(post(server.address(), &headers, PING).status, 404);
}

#[test]
fn the_stateless_protocol_needs_no_session() {
    let tree = Tree::new(&[("a", "content of a\n")]);
    let server = Server::start(tree.text(), &[]);
    let answer = server.request("tools/call", json!({"name": "read_file", "arguments": {"path": "a"}}));
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.header("mcp-session-id"), None);
    assert!(
        answer.message()["result"]["structuredContent"]["content"]
            .to_string()
            .contains("content of a")
    );
    let answer = server.request("tools/call", json!({"name": "raed_file", "arguments": {}}));
    assert_eq!(answer.message()["error"]["code"], -32602, "{answer:?}");
}

#[test]
fn m06_session_ids_cannot_be_made_up() {
    let tree = Tree::new(&[]);
    let server = Server::start(tree.text(), &[]);
    server.open_session();
    for id in ["x", "00000000-0000-4000-8000-000000000000", "../..", "%00"] {
        assert_eq!(
            post(server.address(), &[("Mcp-Session-Id", id)], PING).status,
            404,
            "{id}"
        );
    }
    assert_eq!(post(server.address(), &[], PING).status, 400, "no session id at all");
}

/// A web page reaches a loopback server through a name of its own (DNS
/// rebinding) or from its own origin. Neither gets an answer.
#[test]
fn m07_web_pages_are_kept_out() {
    let tree = Tree::new(&[]);
    let server = Server::start(tree.text(), &[]);
    let port = server.address().port();
    let status = |headers: &[(&str, &str)]| server.request_with(headers, "tools/list", json!({})).status;

    for host in [
        format!("127.0.0.1:{port}"),
        format!("localhost:{port}"),
        format!("[::1]:{port}"),
        "LOCALHOST".into(),
    ] {
        assert_eq!(status(&[("Host", &host)]), 200, "Host: {host}");
    }
    for host in [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "0.0.0.0",
        "evil.example:7420",
        "[::2]",
    ] {
        assert_eq!(status(&[("Host", host)]), 403, "Host: {host}");
    }
    for host in ["a b", "http://127.0.0.1", "@", "localhost/"] {
        let status = status(&[("Host", host)]);
        assert!((400..500).contains(&status), "Host: {host} gives {status}");
    }
    assert_eq!(status(&[("Host", "")]), 400, "no Host at all");

    let own = format!("http://127.0.0.1:{port}");
    for origin in [
        "https://evil.example",
        "null",
        "http://localhost:3000",
        own.as_str(),
        "file://",
        "x",
    ] {
        assert_eq!(status(&[("Origin", origin)]), 403, "Origin: {origin}");
    }
    assert_eq!(status(&[]), 200, "no Origin, as every program sends it");
}

#[test]
fn further_hosts_can_be_allowed() {
    let tree = Tree::new(&[]);
    let server = Server::start(tree.text(), &["--allow-host", "tools.example"]);
    let status = |host: &str| server.request_with(&[("Host", host)], "tools/list", json!({})).status;
    assert_eq!(status("tools.example"), 200);
    assert_eq!(status("evil.example"), 403);
}

#[test]
fn m02_bodies_are_bounded_and_plain() {
    let tree = Tree::new(&[]);
    let server = Server::start(tree.text(), &[]);
    let address = server.address();
    let body = |length: usize| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#, "x".repeat(length));
    assert_eq!(post(address, &[], &body(4 << 20)).status, 413);
    assert_eq!(post(address, &[("Content-Encoding", "gzip")], PING).status, 415);
    assert_eq!(post(address, &[("Content-Type", "text/plain")], PING).status, 415);

    let deep = "[".repeat(1_000_000);
    for wrong in [
        "",
        "{",
        "null",
        "[]",
        "nonsense",
        "{\"jsonrpc\":\"2.0\"}",
        deep.as_str(),
    ] {
        let answer = post(address, &[], wrong);
        assert_eq!(answer.status, 400, "{wrong:.20}");
        assert_eq!(answer.message()["error"]["code"], -32700, "{wrong:.20}");
    }
    assert_eq!(
        server.request("tools/list", json!({})).status,
        200,
        "the server goes on"
    );
}

#[test]
fn m08_sessions_are_bounded() {
    let tree = Tree::new(&[]);
    let server = Server::start(tree.text(), &[]);
    let first = server.open_session();
    let session = first.header("mcp-session-id").expect("a session id").to_owned();
    for number in 1..256 {
        assert_eq!(server.open_session().status, 200, "session {number}");
    }
    let refused = server.open_session();
    assert_eq!(refused.status, 503, "{refused:?}");
    assert!(refused.header("retry-after").is_some());

    // Those that exist go on, those that need none still come through, and an
    // ended one makes room.
    assert_eq!(
        post(server.address(), &[("Mcp-Session-Id", &session)], PING).status,
        200
    );
    assert_eq!(server.request("tools/list", json!({})).status, 200);
    let head = format!(
        "DELETE /mcp HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nMcp-Session-Id: {session}\r\n\r\n",
        server.address()
    );
    assert_eq!(send(server.address(), head.as_bytes(), b"").status, 204);
    assert_eq!(server.open_session().status, 200);
}

#[test]
fn other_paths_and_methods_are_refused() {
    let tree = Tree::new(&[]);
    let server = Server::start(tree.text(), &[]);
    let status = |line: &str| {
        let head = format!("{line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        send(server.address(), head.as_bytes(), b"").status
    };
    assert_eq!(status("GET /"), 404);
    assert_eq!(status("GET /mcp/"), 404);
    assert_eq!(status("GET /../mcp"), 404);
    assert_eq!(status("PUT /mcp"), 405);
    assert_eq!(status("GET /mcp"), 406);
}

#[test]
fn the_greeting_can_be_pasted() {
    let tree = Tree::new(&[("a", "x")]);
    let server = Server::start(tree.text(), &["--mode", "plan"]);
    let greeting = server.greeting();
    assert!(!greeting.contains('\u{1b}'), "no styles in a pipe");
    for expected in [tree.text(), "plan", "read_file", "--stdio", " call --root "] {
        assert!(greeting.contains(expected), "{expected:?} is missing: {greeting}");
    }
    let configurations: Vec<Value> = greeting
        .lines()
        .filter_map(|line| serde_json::from_str(&line[line.find('{')?..]).ok())
        .collect();
    let url = format!("http://{}/mcp", server.address());
    assert_eq!(configurations[0]["mcpServers"]["toolgate"]["url"], url.as_str());
    let arguments = configurations[1]["mcpServers"]["toolgate"]["args"].to_string();
    assert!(
        arguments.contains("--stdio") && arguments.contains("plan"),
        "{arguments}"
    );
}

#[test]
fn addresses_of_other_machines_need_consent() {
    let refused = run(&["serve", "--http", "0.0.0.0:0"]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.stderr.contains("other machines"), "{refused:?}");

    let tree = Tree::new(&[]);
    let server = Server::start_with(tree.text(), &["--http", "0.0.0.0:0", "--allow-remote"]);
    assert!(
        server.greeting().contains("note: other machines"),
        "{}",
        server.greeting()
    );
}

#[test]
fn a_taken_port_is_no_obstacle_unless_it_was_asked_for() {
    // Somebody has the default port: we, or whoever had it before.
    let _taken = TcpListener::bind("127.0.0.1:7420");
    let tree = Tree::new(&[]);
    let server = Server::start_with(tree.text(), &[]);
    assert!(
        server.greeting().contains("127.0.0.1:7420 is taken"),
        "{}",
        server.greeting()
    );
    assert_ne!(server.address().port(), 7420);
    assert_eq!(server.request("tools/list", json!({})).status, 200);

    let refused = run(&["serve", "--root", tree.text(), "--http", "127.0.0.1:7420"]);
    assert_eq!(refused.status, Some(2));
    assert!(
        refused.stderr.contains("cannot listen on 127.0.0.1:7420"),
        "{refused:?}"
    );
}
