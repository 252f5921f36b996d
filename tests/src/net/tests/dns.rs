//! DNS messages built and read by hand.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

use super::{PATIENCE, connect};
use crate::net::{Answer, DnsServer, QueryType, Question, Record};

const A: u16 = 1;
const AAAA: u16 = 28;

/// A query with recursion desired, and EDNS if wanted.
fn query(name: &str, kind: u16, edns: bool) -> Vec<u8> {
    let mut message = vec![0xab, 0xcd, 1, 0, 0, 1, 0, 0, 0, 0, 0, u8::from(edns)];
    for label in name.split('.') {
        message.push(label.len() as u8);
        message.extend_from_slice(label.as_bytes());
    }
    message.push(0);
    message.extend_from_slice(&kind.to_be_bytes());
    message.extend_from_slice(&[0, 1]);
    if edns {
        message.extend_from_slice(&[0, 0, 41, 0x10, 0, 0, 0, 0, 0, 0, 0]);
    }
    message
}

fn udp(server: SocketAddr, message: &[u8], patience: Duration) -> std::io::Result<Vec<u8>> {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_read_timeout(Some(patience)).unwrap();
    socket.send_to(message, server).unwrap();
    let mut answer = vec![0; 4096];
    let length = socket.recv(&mut answer)?;
    answer.truncate(length);
    Ok(answer)
}

fn ask(server: &DnsServer, name: &str, kind: u16) -> Vec<u8> {
    udp(server.address(), &query(name, kind, false), PATIENCE).unwrap()
}

/// The number of records, and the answer's last bytes.
fn tail(answer: &[u8], length: usize) -> (u8, &[u8]) {
    (answer[7], &answer[answer.len() - length..])
}

#[test]
fn a_table_answers_by_type_and_records_every_question() {
    let addresses = ["10.1.2.3".parse().unwrap(), "fd00::1".parse().unwrap()];
    let server = DnsServer::table(&[("a.test", &addresses)]);
    assert!(server.questions().is_empty());
    let answer = ask(&server, "A.Test", A);
    assert_eq!(&answer[..4], [0xab, 0xcd, 0x81, 0x80]);
    // The question comes back in its own case.
    assert_eq!(&answer[12..20], b"\x01A\x04Test\0");
    assert_eq!(tail(&answer, 10), (1, [0, 0, 0, 60, 0, 4, 10, 1, 2, 3].as_slice()));
    let answer = ask(&server, "a.test", AAAA);
    assert_eq!(tail(&answer, 4), (1, [0, 0, 0, 1].as_slice()));
    let answer = ask(&server, "a.test", 65);
    assert_eq!((answer[3], answer[7]), (0x80, 0));
    let answer = ask(&server, "b.test", A);
    assert_eq!((answer[3], answer[7]), (0x83, 0));
    assert_eq!(server.names(), ["a.test", "a.test", "a.test", "b.test"]);
    let kinds: Vec<QueryType> = server.questions().iter().map(|question| question.kind).collect();
    assert_eq!(kinds, [QueryType::A, QueryType::Aaaa, QueryType::Https, QueryType::A]);
}

#[test]
fn a_function_can_change_its_mind() {
    let server = DnsServer::start(|question: &Question| {
        let last = if question.nth == 1 { 1 } else { 2 };
        Answer::records(vec![Record::A(Ipv4Addr::new(10, 0, 0, last))]).with_ttl(0)
    });
    let first = ask(&server, "rebind.test", A);
    assert_eq!(tail(&first, 10), (1, [0, 0, 0, 0, 0, 4, 10, 0, 0, 1].as_slice()));
    let second = ask(&server, "rebind.test", A);
    assert_eq!(tail(&second, 4).1, [10, 0, 0, 2]);
    // Names and types are counted apart.
    assert_eq!(tail(&ask(&server, "other.test", A), 4).1, [10, 0, 0, 1]);
}

#[test]
fn an_alias_owns_what_follows() {
    let server =
        DnsServer::start(|_| Answer::records(vec![Record::Cname("b.test".into()), Record::A(Ipv4Addr::LOCALHOST)]));
    let answer = ask(&server, "a.test", A);
    let alias = b"\x01a\x04test\0\0\x05\0\x01\0\0\0\x3c\0\x08\x01b\x04test\0";
    let address = b"\x01b\x04test\0\0\x01\0\x01\0\0\0\x3c\0\x04\x7f\0\0\x01";
    assert_eq!(answer[7], 2);
    assert!(answer.ends_with(&[alias.as_slice(), address].concat()), "{answer:?}");
}

#[test]
fn truncated_answers_are_whole_over_tcp() {
    let server = DnsServer::start(|_| Answer::records(vec![Record::A(Ipv4Addr::LOCALHOST)]).only_tcp());
    let cut = ask(&server, "a.test", A);
    assert_eq!((cut[2] & 2, cut[7]), (2, 0));
    let mut stream = connect(server.address());
    let message = query("a.test", A, false);
    stream.write_all(&(message.len() as u16).to_be_bytes()).unwrap();
    stream.write_all(&message).unwrap();
    let mut length = [0; 2];
    stream.read_exact(&mut length).unwrap();
    let mut whole = vec![0; usize::from(u16::from_be_bytes(length))];
    stream.read_exact(&mut whole).unwrap();
    assert_eq!((whole[2] & 2, tail(&whole, 4)), (0, (1, [127, 0, 0, 1].as_slice())));
    assert_eq!(
        server
            .questions()
            .iter()
            .map(|question| question.tcp)
            .collect::<Vec<_>>(),
        [false, true]
    );
}

#[test]
fn answers_are_cut_at_the_clients_limit() {
    let server = DnsServer::start(|_| Answer::records(vec![Record::A(Ipv4Addr::LOCALHOST); 40]));
    let without = ask(&server, "a.test", A);
    assert_eq!((without[2] & 2, without[7]), (2, 0));
    let with = udp(server.address(), &query("a.test", A, true), PATIENCE).unwrap();
    // One additional record: EDNS is answered with EDNS.
    assert_eq!((with[2] & 2, with[7], with[11]), (0, 40, 1));
}

#[test]
fn failures_delays_and_silence() {
    let server = DnsServer::start(|question| match question.name.as_str() {
        "failure" => Answer::server_failure(),
        "refused" => Answer::failure(5),
        "late" => Answer::no_such_name().after(Duration::from_millis(100)),
        _ => Answer::silence(),
    });
    assert_eq!(ask(&server, "failure", A)[3], 0x82);
    assert_eq!(ask(&server, "refused", A)[3], 0x85);
    let begun = Instant::now();
    assert_eq!(ask(&server, "late", A)[3], 0x83);
    assert!(begun.elapsed() >= Duration::from_millis(100));
    let silence = udp(server.address(), &query("silent", A, false), Duration::from_millis(200));
    assert_eq!(silence.unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
    assert_eq!(server.names().len(), 4);
    // What is not a query is neither answered nor recorded.
    assert!(udp(server.address(), b"\0\x01nonsense", Duration::from_millis(100)).is_err());
    assert_eq!(server.names().len(), 4);
}
