//! What lives here: proof that each server does what it says, by clients that know nothing of it.
//! The test harness calls it.
//! It must not touch: the servers' insides; it looks at packets and at the public record.

mod connections;
mod dns;
mod endless;
mod http2;
mod messages;
mod proxy;
mod tls;
mod watch;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// How long a test waits for what must happen.
const PATIENCE: Duration = Duration::from_secs(10);

/// Connects.
fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Asks for a path and reads until the server closes.
fn get(address: SocketAddr, path: &str) -> Vec<u8> {
    let mut stream = connect(address);
    ask(&mut stream, path);
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    answer
}

/// The same up to the end of a body with a declared length.
fn get_one(stream: &mut (impl Read + Write), path: &str) -> (String, Vec<u8>) {
    ask(stream, path);
    let head = read_head(stream);
    let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    stream.read_exact(&mut body).unwrap();
    (head, body)
}

fn ask(stream: &mut impl Write, path: &str) {
    stream
        .write_all(format!("GET {path} HTTP/1.1\r\nHost: test\r\n\r\n").as_bytes())
        .unwrap();
}

/// Reads up to the empty line.
fn read_head(stream: &mut impl Read) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    String::from_utf8(head).unwrap()
}
