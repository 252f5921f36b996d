//! The ways in which a connection stays open or ends, and the end of the server.

use std::io::{ErrorKind, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::{PATIENCE, ask, connect, get, read_head};
use crate::net::{RawServer, ScriptServer, Step, scripts};

#[test]
fn a_reset_is_a_reset_and_a_close_is_not() {
    let partial = || Step::Send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc".to_vec());
    let server = ScriptServer::routes([
        ("/close", vec![partial(), Step::Close]),
        ("/cut", vec![partial(), Step::Cut]),
        (
            "/reset",
            vec![partial(), Step::Wait(Duration::from_millis(50)), Step::Reset],
        ),
    ]);
    assert!(get(server.address(), "/close").ends_with(b"abc"));
    assert!(get(server.address(), "/cut").ends_with(b"abc"));
    let mut stream = connect(server.address());
    ask(&mut stream, "/reset");
    let error = stream.read_to_end(&mut Vec::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
}

#[test]
fn stalls_are_silent_until_the_client_leaves() {
    let server = ScriptServer::routes([
        ("/all", scripts::stall()),
        ("/head", scripts::stall_after_headers()),
        ("/body", scripts::stall_mid_body("begin")),
    ]);
    for (path, first) in [("/all", ""), ("/head", "\r\n\r\n"), ("/body", "\r\n\r\nbegin")] {
        let mut stream = connect(server.address());
        stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        ask(&mut stream, path);
        let mut answer = Vec::new();
        let error = stream.read_to_end(&mut answer).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WouldBlock, "{path}");
        assert!(String::from_utf8(answer).unwrap().ends_with(first), "{path}");
        let open = server.recorder().connections();
        assert!(open.last().unwrap().ended.is_none(), "{path}");
    }
    let connections = server.recorder().wait_for_end(3, PATIENCE);
    assert_eq!(connections.len(), 3);
}

#[test]
fn a_leaving_client_ends_a_wait() {
    let server = ScriptServer::start(|_| vec![Step::Wait(Duration::from_secs(600)), Step::Stall]);
    let mut stream = connect(server.address());
    ask(&mut stream, "/");
    server.recorder().wait_for_requests(1, PATIENCE);
    drop(stream);
    server.recorder().wait_for_end(1, PATIENCE);
}

#[test]
fn a_raw_server_waits_for_the_client_or_speaks_first() {
    let first = RawServer::speaking_first(vec![Step::Send(b"220 hi\r\n".to_vec()), Step::Close]);
    let mut greeting = String::new();
    connect(first.address()).read_to_string(&mut greeting).unwrap();
    assert_eq!(greeting, "220 hi\r\n");

    let second = RawServer::start(vec![Step::Send(b"answer".to_vec()), Step::Stall]);
    let mut stream = connect(second.address());
    stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    assert_eq!(stream.read(&mut [0; 9]).unwrap_err().kind(), ErrorKind::WouldBlock);
    ask(&mut stream, "/raw");
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut answer = [0; 6];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"answer");
    assert!(second.recorder().connections()[0].received.starts_with(b"GET /raw "));
}

#[test]
fn dropping_a_server_ends_its_connections_and_frees_its_port() {
    let server = ScriptServer::start(|_| scripts::endless_body());
    let address = server.address();
    let recorder = server.recorder().clone();
    let mut stream = connect(address);
    ask(&mut stream, "/");
    read_head(&mut stream);
    let begun = Instant::now();
    drop(server);
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert!(recorder.connections()[0].ended.is_some());
    assert_eq!(
        TcpStream::connect(address).unwrap_err().kind(),
        ErrorKind::ConnectionRefused
    );
}

#[test]
#[should_panic(expected = "not a loopback address")]
fn nothing_listens_outside_loopback() {
    ScriptServer::start_at("0.0.0.0:0", |_| scripts::stall());
}
