//! Answers without an end go on for as long as the client reads.

use std::io::Read;
use std::time::{Duration, Instant};

use super::{PATIENCE, ask, connect, read_head};
use crate::net::{ENDLESS_CAP, ScriptServer, Step, scripts};

/// More than a client with a limit of a few MiB should ever take.
const MUCH: u64 = 8 << 20;

#[test]
fn endless_answers_outlast_any_reader() {
    let server = ScriptServer::routes([
        ("/body", scripts::endless_body()),
        ("/chunks", scripts::endless_chunked_body()),
        ("/headers", scripts::endless_headers()),
        ("/size", scripts::chunked_never_ending_size()),
    ]);
    for path in ["/body", "/chunks", "/headers", "/size"] {
        let mut stream = connect(server.address());
        ask(&mut stream, path);
        let read = std::io::copy(&mut (&mut stream).take(MUCH), &mut std::io::sink()).unwrap();
        assert_eq!(read, MUCH, "{path}");
    }
    let connections = server.recorder().wait_for_end(4, PATIENCE);
    for connection in connections {
        // What the client read, and what the kernel holds between the two.
        assert!(
            connection.sent >= MUCH && connection.sent < ENDLESS_CAP / 2,
            "{}",
            connection.sent
        );
    }
}

#[test]
fn an_endless_answer_stops_at_the_cap() {
    let server = ScriptServer::start(|_| vec![Step::Endless(vec![b'x'; 1 << 20])]);
    let mut stream = connect(server.address());
    ask(&mut stream, "/");
    assert_eq!(std::io::copy(&mut stream, &mut std::io::sink()).unwrap(), ENDLESS_CAP);
}

#[test]
fn endless_gzip_decodes_for_as_long_as_it_is_read() {
    let server = ScriptServer::start(|_| scripts::endless_gzip());
    let mut stream = connect(server.address());
    ask(&mut stream, "/");
    read_head(&mut stream);
    let mut decoded = flate2::read::MultiGzDecoder::new(&mut stream).take(2 * MUCH);
    assert_eq!(std::io::copy(&mut decoded, &mut std::io::sink()).unwrap(), 2 * MUCH);
}

#[test]
fn pulses_are_never_idle() {
    let every = Duration::from_millis(10);
    let server = ScriptServer::routes([
        ("/body", scripts::pulsing_body(every)),
        ("/interim", scripts::never_ending_1xx(every)),
    ]);
    for (path, pulse) in [("/body", "tick\n"), ("/interim", "HTTP/1.1 103 Early Hints\r\n")] {
        let mut stream = connect(server.address());
        ask(&mut stream, path);
        let begun = Instant::now();
        let mut text = String::new();
        (&mut stream).take(600).read_to_string(&mut text).unwrap();
        assert!(text.matches(pulse).count() >= 5, "{text}");
        assert!(begun.elapsed() >= 5 * every);
    }
}
