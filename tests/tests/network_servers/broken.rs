//! N06: servers that do not speak HTTP, or that leave in the middle of it.

use std::time::Duration;

use toolgate::ErrorKind;
use toolgate_tests::net::{RawServer, Script, Step, scripts};

use crate::cases::{Case, all_refused};
use crate::stage::{PATIENCE, Stage};

/// The start of an answer of 1000 bytes.
fn begun() -> Step {
    let text = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n{}",
        "x".repeat(10)
    );
    Step::Send(text.into_bytes())
}

/// What was sent shall have been read before a reset destroys it.
fn pause() -> Step {
    Step::Wait(Duration::from_millis(100))
}

#[test]
fn n06_what_is_no_http_is_refused() {
    let tls_alert = scripts::tls_alert(40);
    let http2 = vec![
        Step::Send(b"\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0\x64".to_vec()),
        Step::Close,
    ];
    all_refused(
        vec![
            Case::unavailable("/garbage", scripts::garbage(), &["no HTTP"]),
            Case::unavailable("/http09", scripts::http09("<html>old</html>\r\n\r\n"), &["no HTTP"]),
            Case::unavailable("/tls", tls_alert, &["no HTTP"]),
            Case::unavailable("/http2", http2, &["no HTTP"]),
            Case::unavailable(
                "/version",
                vec![Step::Send(b"HTTP/3.7 200 OK\r\nContent-Length: 0\r\n\r\n".to_vec())],
                &["no HTTP"],
            ),
            Case::unavailable(
                "/status",
                vec![Step::Send(b"HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n".to_vec())],
                &["no HTTP"],
            ),
        ],
        |_| (),
    );
}

#[test]
fn n06_servers_that_leave_are_told_apart() {
    let half = Step::Send(b"HTTP/1.1 200 OK\r\nContent-Ty".to_vec());
    all_refused(
        vec![
            Case::unavailable(
                "/at-once",
                vec![Step::Close],
                &["closed the connection before its answer"],
            ),
            Case::unavailable(
                "/half-a-head",
                vec![half.clone(), Step::Close],
                &["closed the connection before its answer"],
            ),
            Case::unavailable("/reset", vec![Step::Reset], &["no answer from", "reset"]),
            Case::unavailable("/reset-head", vec![half, pause(), Step::Reset], &["no answer from"]),
            Case::unavailable(
                "/reset-body",
                vec![begun(), pause(), Step::Reset],
                &["body", "cannot be read"],
            ),
            Case::unavailable("/close-body", vec![begun(), Step::Close], &["10 of the 1000 bytes"]),
        ],
        |_| (),
    );
}

#[test]
fn n06_servers_that_speak_first_are_no_http() {
    let ssh: Script = vec![Step::Send(b"SSH-2.0-OpenSSH_9.9\r\n".to_vec()), Step::Stall];
    let server = RawServer::speaking_first(ssh);
    let url = format!("http://{}/", server.address());
    let stage = Stage::new(std::slice::from_ref(&url));
    stage.refuses(&url, ErrorKind::Unavailable, &["no answer from"]);
    server.recorder().wait_for_end(1, PATIENCE);
}

#[test]
fn n06_a_port_without_a_server_is_told() {
    // Bound and closed, so that nobody else is likely to listen there.
    let free = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let url = format!("http://{free}/");
    let stage = Stage::new(std::slice::from_ref(&url));
    stage.refuses(&url, ErrorKind::Unavailable, &["no connection to", "refused"]);
}
