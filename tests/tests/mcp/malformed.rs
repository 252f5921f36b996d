//! Frames that no client should send (rows M01, M02 and M04).

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_tests::support::{Rpc, Server, Tree, peak_kib, post, request, send};

/// The documented bound of a line.
const MAX_LINE: usize = 4 << 20;

/// What is wrong in shape, type, encoding or protocol.
const FRAMES: &[&[u8]] = &[
    b"",
    b" ",
    b"\r",
    b"null",
    b"true",
    b"0",
    b"\"x\"",
    b"[]",
    b"[[]]",
    b"{}",
    b"{",
    b"}",
    b"nul",
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf{}",
    b"{\"jsonrpc\":\"2.0\"}",
    b"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
    b"{\"jsonrpc\":2.0,\"id\":1,\"method\":\"ping\"}",
    b"{\"id\":1,\"method\":\"ping\"}",
    b"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
    b"{\"jsonrpc\":\"2.0\",\"id\":[],\"method\":\"ping\"}",
    b"{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"ping\"}",
    b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
    b"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
    b"{\"jsonrpc\":\"2.0\",\"id\":1e400,\"method\":\"ping\"}",
    b"{\"jsonrpc\":\"2.0\",\"id\":-9223372036854775809,\"method\":\"ping\"}",
    b"{\"jsonrpc\":\"2.0\",\"id\":9007199254740993,\"method\":7}",
    b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":null}",
    b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\"}",
    b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"no/such\"}",
    b"{\"jsonrpc\":\"2.0\",\"method\":\"no/such\"}",
    b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
    b"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}",
    b"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":\"x\",\"message\":1}}",
    b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}",
    b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":null}",
    b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":[]}",
    b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":1}}",
    b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"stat\",\"arguments\":[]}}",
    b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"stat\",\"arguments\":\"{}\"}}",
    b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"stat\",\"_meta\":[]}}",
    b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"\\ud800\"}}",
    b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"cursor\":\"zzz\"}}",
    b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{}}",
    b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{}}",
    b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"unknown\"}}",
    b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{}}",
    b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":[],\"progress\":\"x\"}}",
    b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
    b"Content-Length: 2\r\n\r\n{}",
    b"POST /mcp HTTP/1.1\r\nHost: x\r\n\r\n",
    b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} trailing",
];

/// Those, and every prefix and every one-byte change of a proper call.
fn frames() -> Vec<Vec<u8>> {
    let call = br#"{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"stat","arguments":{"path":"a"}}}"#;
    let prefixes = (1..call.len()).map(|end| call[..end].to_vec());
    let changes = (0..call.len()).flat_map(|at| {
        [0x00, b'"', b'{', b'9', 0x80, 0xff].map(|byte| {
            let mut frame = call.to_vec();
            frame[at] = byte;
            frame
        })
    });
    let listed = FRAMES.iter().map(|frame| frame.to_vec());
    listed.chain(prefixes).chain(changes).collect()
}

#[test]
fn m01_every_malformed_frame_is_survived() {
    let tree = Tree::new(&[("a", "x")]);
    let mut rpc = Rpc::initialised(tree.text(), &[]);
    let frames = frames();
    assert!(frames.len() > 600);
    for mut frame in frames {
        frame.push(b'\n');
        rpc.send_raw(&frame);
        let pong = rpc.request("ping", json!({}));
        assert_eq!(pong["result"], json!({}), "after {:?}", String::from_utf8_lossy(&frame));
    }
    assert_eq!(rpc.close(), Some(0));
}

#[test]
fn m01_every_malformed_body_is_refused_or_answered() {
    let tree = Tree::new(&[("a", "x")]);
    let server = Server::start(tree.text(), &[]);
    let opened = server.open_session();
    let session = opened.header("mcp-session-id").expect("a session id");
    for frame in frames() {
        let length = frame.len().to_string();
        let headers = [("Mcp-Session-Id", session), ("Content-Length", length.as_str())];
        let head = request(server.address(), &headers, "");
        let answer = send(server.address(), head.as_bytes(), &frame);
        assert!(
            (200..500).contains(&answer.status),
            "{answer:?} to {:?}",
            String::from_utf8_lossy(&frame)
        );
    }
    let ping = r#"{"jsonrpc":"2.0","id":"last","method":"ping"}"#;
    let pong = post(server.address(), &[("Mcp-Session-Id", session)], ping);
    assert_eq!(pong.message()["id"], "last", "{pong:?}");
}

/// The greatest size so far, once the tools are loaded, which the server does beside its first requests.
fn settled_peak(pid: u32) -> i64 {
    let mut peak = peak_kib(pid);
    let mut since = Instant::now();
    while since.elapsed() < Duration::from_secs(1) {
        std::thread::sleep(Duration::from_millis(20));
        let now = peak_kib(pid);
        if now > peak {
            (peak, since) = (now, Instant::now());
        }
    }
    peak
}

#[test]
fn m02_a_line_over_the_bound_is_dropped_without_being_kept() {
    let tree = Tree::new(&[]);
    let mut rpc = Rpc::initialised(tree.text(), &[]);
    let before = settled_peak(rpc.pid());
    let chunk = vec![b'x'; 1 << 20];
    for _ in 0..64 {
        rpc.send_raw(&chunk);
    }
    rpc.send_raw(b"\n");
    assert_eq!(rpc.request("ping", json!({}))["result"], json!({}));
    let grown = peak_kib(rpc.pid()) - before;
    assert!(
        grown < 16 << 10,
        "64 MiB on one line made the server grow by {grown} KiB"
    );
}

#[test]
fn m02_the_bound_is_where_it_is_documented() {
    let tree = Tree::new(&[]);
    let mut rpc = Rpc::initialised(tree.text(), &[]);
    let ping = |id: &str, length: usize| {
        let head = format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"ping","params":{{"_meta":{{"x":""#);
        let tail = "\"}}}\n";
        let filler = "x".repeat(length - head.len() - tail.len());
        format!("{head}{filler}{tail}")
    };
    rpc.send_raw(ping("fits", MAX_LINE).as_bytes());
    assert_eq!(rpc.answer(&json!("fits"))["result"], json!({}));
    rpc.send_raw(ping("too long", MAX_LINE + 1).as_bytes());
    // Whoever sent it waits for an answer, and gets one.
    let refused = rpc.answer(&json!("too long"));
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(
        message.contains(&format!("{} bytes", MAX_LINE + 1)) && message.contains(&MAX_LINE.to_string()),
        "{message}"
    );
    rpc.send_raw(ping("next", 200).as_bytes());
    assert_eq!(rpc.answer(&json!("next"))["result"], json!({}));
}

#[test]
fn m02_deep_nesting_and_many_keys_are_survived() {
    let tree = Tree::new(&[]);
    let mut rpc = Rpc::initialised(tree.text(), &[]);
    let call = |arguments: &str| {
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":\"odd\",\"method\":\"tools/call\",\"params\":{{\"name\":\"stat\",\"arguments\":{arguments}}}}}\n"
        )
    };
    let deep = format!("{{\"path\":{}{}}}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    rpc.send_raw(call(&deep).as_bytes());
    assert_eq!(rpc.request("ping", json!({}))["result"], json!({}));

    let keys: Vec<String> = (0..300_000).map(|number| format!("\"k{number}\":0")).collect();
    rpc.send_raw(call(&format!("{{{}}}", keys.join(","))).as_bytes());
    let answer = rpc.answer(&json!("odd"));
    assert_eq!(answer["result"]["structuredContent"]["kind"], "invalid_arguments");
    let length = answer.to_string().len();
    assert!(length < 100_000, "an error of {length} bytes repeats what it refuses");
}

#[test]
fn m04_ids_are_the_clients_own_business() {
    let tree = Tree::new(&[("a", "x")]);
    let mut rpc = Rpc::initialised(tree.text(), &[]);
    let long = "i".repeat(1 << 20);
    for id in [
        json!("text"),
        json!(0),
        json!(-1),
        json!(9_007_199_254_740_993_i64),
        json!(long),
        json!(""),
    ] {
        rpc.send(&json!({"jsonrpc": "2.0", "id": id, "method": "ping"}));
        assert_eq!(rpc.answer(&id)["result"], json!({}));
    }
    // One id for two calls in flight: both are answered or refused, and the session goes on.
    for _ in 0..2 {
        rpc.send(&json!({"jsonrpc": "2.0", "id": "same", "method": "tools/call",
            "params": {"name": "stat", "arguments": {"path": "a"}}}));
    }
    rpc.answer(&json!("same"));
    // Cancelling what is unknown or finished changes nothing.
    for id in [json!("same"), json!(123_456), Value::Null] {
        rpc.notify("notifications/cancelled", json!({"requestId": id, "reason": "test"}));
    }
    let answer = rpc.call("stat", json!({"path": "a"}));
    assert_eq!(answer["result"]["isError"], false, "{answer}");
}
