//! N15: servers that flood an HTTP/2 connection with frames which cost the sender nothing.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rcgen::{CertificateParams, KeyPair};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned, crypto};
use tempfile::NamedTempFile;
use toolgate::ErrorKind;

use crate::measure;
use crate::stage::{Stage, told};

/// Bytes that a flood has at most.
const FLOOD: u64 = 512 << 20;
/// How long the client may keep a connection open without reading from it.
const IDLE: Duration = Duration::from_secs(10);
/// What a flood may cost in memory.
const GROWTH: u64 = 64 << 20;

// Types and flags of frames (RFC 9113, section 6).
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const PRIORITY: u8 = 2;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PUSH_PROMISE: u8 = 5;
const PING: u8 = 6;
const WINDOW_UPDATE: u8 = 8;
const CONTINUATION: u8 = 9;
const END_HEADERS: u8 = 4;

/// `:status: 200` (RFC 7541, appendix A).
const OK: &[u8] = &[0x88];
/// `:status: 103` as a literal that is not indexed.
const EARLY_HINTS: &[u8] = b"\x08\x03103";
/// `x: y` as a literal that is not indexed.
const FIELD: &[u8] = b"\0\x01x\x01y";

fn frame(kind: u8, flags: u8, stream: u8, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags, 0, 0, 0, stream], payload].concat()
}

/// A server that takes one connection, waits for the first request and then sends a start and a flood.
struct Flood {
    address: SocketAddr,
    certificate: NamedTempFile,
    thread: JoinHandle<Ended>,
}

/// How a flood ended.
struct Ended {
    sent: u64,
    /// The client read no further, and did not leave either.
    stuck: bool,
}

impl Flood {
    fn start(start: Vec<u8>, flood: Vec<u8>) -> Self {
        let key = KeyPair::generate().unwrap();
        let certificate = CertificateParams::new(vec!["a.test".to_owned()]).unwrap();
        let certificate = certificate.self_signed(&key).unwrap();
        let file = NamedTempFile::new().unwrap();
        std::fs::write(file.path(), certificate.pem()).unwrap();
        let mut config = ServerConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.der().clone()],
                PrivatePkcs8KeyDer::from(key.serialize_der()).into(),
            )
            .unwrap();
        config.alpn_protocols = vec![b"h2".to_vec()];
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let thread = std::thread::spawn(move || {
            let (tcp, _) = listener.accept().unwrap();
            tcp.set_write_timeout(Some(IDLE)).unwrap();
            tcp.set_read_timeout(Some(IDLE)).unwrap();
            let mut stream = StreamOwned::new(ServerConnection::new(Arc::new(config)).unwrap(), tcp);
            send(&mut stream, &start, &flood)
        });
        Self {
            address,
            certificate: file,
            thread,
        }
    }

    fn url(&self) -> String {
        format!("https://a.test:{}/", self.address.port())
    }

    /// Waits for its end.
    fn ended(self) -> Ended {
        // If nobody has come so far, this one ends the wait.
        drop(TcpStream::connect(self.address));
        self.thread.join().unwrap()
    }
}

fn send(stream: &mut (impl Read + Write), start: &[u8], flood: &[u8]) -> Ended {
    // The preface, the settings and the request, or at least the first of them.
    let _ = stream.read(&mut [0; 4096]);
    let mut ended = Ended { sent: 0, stuck: false };
    let pieces = [frame(SETTINGS, 0, 0, &[]), start.to_vec()];
    let flood = flood.repeat((64 << 10) / flood.len());
    for piece in pieces.iter().chain(std::iter::repeat(&flood)) {
        if let Err(error) = stream.write_all(piece) {
            ended.stuck = matches!(
                error.kind(),
                std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
            );
            break;
        }
        ended.sent += piece.len() as u64;
        if ended.sent > FLOOD {
            break;
        }
    }
    ended
}

#[test]
fn n15_floods_of_http2_frames_end_in_time_and_take_no_memory() {
    let _turn = measure::alone();
    let head = frame(HEADERS, END_HEADERS, 1, OK);
    let promise = frame(PUSH_PROMISE, END_HEADERS, 1, &[&[0, 0, 0, 2], OK].concat());
    let setting = [0, 3, 0, 0, 0, 100];
    let floods: Vec<(&str, Vec<u8>, Vec<u8>)> = vec![
        ("settings", Vec::new(), frame(SETTINGS, 0, 0, &setting)),
        ("pings", Vec::new(), frame(PING, 0, 0, b"01234567")),
        ("windows", Vec::new(), frame(WINDOW_UPDATE, 0, 0, &[0, 0, 0, 1])),
        ("priorities", Vec::new(), frame(PRIORITY, 0, 1, &[0, 0, 0, 0, 9])),
        ("resets", Vec::new(), frame(RST_STREAM, 0, 1, &[0, 0, 0, 8])),
        ("unknown frames", Vec::new(), frame(99, 0, 0, b"whatever")),
        (
            "interim answers",
            Vec::new(),
            frame(HEADERS, END_HEADERS, 1, EARLY_HINTS),
        ),
        (
            "continuations",
            frame(HEADERS, 0, 1, OK),
            frame(CONTINUATION, 0, 1, FIELD),
        ),
        (
            "empty continuations",
            frame(HEADERS, 0, 1, OK),
            frame(CONTINUATION, 0, 1, &[]),
        ),
        ("empty data", head.clone(), frame(DATA, 0, 1, &[])),
        (
            "padding",
            head.clone(),
            frame(DATA, 8, 1, &[[255].as_slice(), &[0; 255]].concat()),
        ),
        ("data of others", head.clone(), frame(DATA, 0, 3, b"x")),
        ("trailers", head, frame(HEADERS, END_HEADERS, 1, FIELD)),
        ("promises", Vec::new(), promise),
    ];
    for (what, start, flood) in floods {
        let server = Flood::start(start, flood);
        let url = server.url();
        let stage = Stage::alone(std::slice::from_ref(&url), |config| {
            config.url_scope.ca_file = Some(server.certificate.path().to_owned());
            config.url_scope.timeout_seconds = 1;
        });
        stage.is_well();
        measure::reset_peak();
        let (before, begun) = (measure::resident(), Instant::now());
        let error = stage.fetch(&url).expect_err(what);
        let took = begun.elapsed();
        let growth = measure::peak().saturating_sub(before);
        let known = [ErrorKind::Deadline, ErrorKind::Unavailable, ErrorKind::Limit];
        assert!(known.contains(&error.kind), "{what}: {:?}: {error}", error.kind);
        told(&url, &error, error.kind, &[]);
        assert!(took < Duration::from_secs(5), "{what}: {took:?}");
        stage.is_well();
        drop(stage);
        let ended = server.ended();
        assert!(ended.sent > 0 && !ended.stuck, "{what}: {} bytes sent", ended.sent);
        assert!(
            growth < GROWTH,
            "{what}: grew by {growth} bytes after {} were sent",
            ended.sent
        );
    }
}
