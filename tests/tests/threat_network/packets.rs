//! An observer of everything that is sent in the namespace.
//!
//! A packet socket shows what left, whether or not anybody answered; a listener shows only those who
//! reached it, and `/proc/net` only those who are still there.

use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use rustix::net::{AddressFamily, RecvFlags, SocketFlags, SocketType, eth, recv, socket_with, sockopt};

/// Where connections of the test's own servers come from; they are not noted.
pub(crate) const OWN: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 77, 77, 77));

/// Where the observer's own packets go (RFC 863); nobody listens.
const DISCARD: &str = "127.0.0.1:9";
/// Bytes of a packet that are looked at: headers of IP without options, TCP and UDP.
const HEADERS: usize = 128;
/// Bytes that wait for the observer. More than the usual limit is not granted in a user namespace.
const QUEUE: usize = 8 << 20;

/// What is noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// The first packet of a TCP connection.
    Connect,
    /// A UDP packet.
    Datagram,
}

/// One packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Packet {
    pub(crate) kind: Kind,
    pub(crate) from: SocketAddr,
    pub(crate) to: SocketAddr,
    /// TCP's sequence number, or the first bytes of what UDP carries; tells a packet from its copies.
    mark: u32,
}

/// The observer; it runs until the process ends.
pub(crate) struct Observer {
    noted: Arc<(Mutex<Noted>, Condvar)>,
    probe: UdpSocket,
    probes: AtomicU32,
}

#[derive(Default)]
struct Noted {
    packets: Vec<Packet>,
    /// The last of the observer's own packets that has passed.
    probe: u32,
    /// On the loopback interface every packet passes twice, out and in.
    known: HashSet<Packet>,
}

impl Observer {
    pub(crate) fn start() -> Self {
        let family = AddressFamily::PACKET;
        let socket = socket_with(family, SocketType::DGRAM, SocketFlags::CLOEXEC, Some(eth::ALL)).unwrap();
        let _ = sockopt::set_socket_recv_buffer_size_force(&socket, QUEUE)
            .or_else(|_| sockopt::set_socket_recv_buffer_size(&socket, QUEUE));
        let probe = UdpSocket::bind("127.0.0.1:0").unwrap();
        let own = probe.local_addr().unwrap();
        let noted = Arc::default();
        let observer = Self {
            noted: Arc::clone(&noted),
            probe,
            probes: AtomicU32::new(0),
        };
        std::thread::spawn(move || note(&socket, own, &noted));
        observer
    }

    /// Where connections were attempted since the last look, in order.
    pub(crate) fn connects(&self) -> Vec<SocketAddr> {
        self.take(Kind::Connect)
    }

    /// Where UDP packets were sent since the last look, in order.
    pub(crate) fn datagrams(&self) -> Vec<SocketAddr> {
        self.take(Kind::Datagram)
    }

    fn take(&self, kind: Kind) -> Vec<SocketAddr> {
        // What was sent before the observer's own packet has been noted when that has.
        let number = self.probes.fetch_add(1, Ordering::Relaxed) + 1;
        self.probe.send_to(&number.to_be_bytes(), DISCARD).unwrap();
        let (noted, changed) = &*self.noted;
        let (mut noted, waited) = changed
            .wait_timeout_while(noted.lock().unwrap(), Duration::from_secs(20), |noted| {
                noted.probe < number
            })
            .unwrap();
        assert!(!waited.timed_out(), "the observer does not see its own packet");
        let (taken, left): (Vec<Packet>, _) = noted.packets.iter().partition(|packet| packet.kind == kind);
        noted.packets = left;
        taken.iter().map(|packet| packet.to).collect()
    }
}

fn note(socket: &OwnedFd, own: SocketAddr, noted: &(Mutex<Noted>, Condvar)) {
    let mut buffer = [0; HEADERS];
    loop {
        let Ok((_, length)) = recv(socket, &mut buffer[..], RecvFlags::empty()) else {
            continue;
        };
        let packet = read(&buffer[..length.min(HEADERS)]);
        let Some(packet) = packet.filter(|packet| packet.from.ip() != OWN) else {
            continue;
        };
        let (noted, changed) = noted;
        let mut noted = noted.lock().unwrap();
        if packet.from == own {
            noted.probe = packet.mark;
            changed.notify_all();
        } else if noted.known.insert(packet) {
            noted.packets.push(packet);
        }
    }
}

/// Takes a packet apart (RFC 791, RFC 8200, RFC 9293, RFC 768); `None` for what is neither the start
/// of a TCP connection nor UDP.
fn read(bytes: &[u8]) -> Option<Packet> {
    let first = *bytes.first()?;
    let (protocol, from, to, payload): (u8, IpAddr, IpAddr, &[u8]) = match first >> 4 {
        4 => (
            *bytes.get(9)?,
            Ipv4Addr::from(<[u8; 4]>::try_from(bytes.get(12..16)?).ok()?).into(),
            Ipv4Addr::from(<[u8; 4]>::try_from(bytes.get(16..20)?).ok()?).into(),
            bytes.get(usize::from(first & 15) * 4..)?,
        ),
        6 => (
            *bytes.get(6)?,
            Ipv6Addr::from(<[u8; 16]>::try_from(bytes.get(8..24)?).ok()?).into(),
            Ipv6Addr::from(<[u8; 16]>::try_from(bytes.get(24..40)?).ok()?).into(),
            bytes.get(40..)?,
        ),
        _ => return None,
    };
    let number = |at: usize| Some(u16::from_be_bytes(payload.get(at..at + 2)?.try_into().ok()?));
    let mark = |at: usize| Some(u32::from_be_bytes(payload.get(at..at + 4)?.try_into().ok()?));
    let (kind, mark) = match protocol {
        // SYN without ACK.
        6 if payload.get(13)? & 0x12 == 0x02 => (Kind::Connect, mark(4)?),
        17 => (Kind::Datagram, mark(8).unwrap_or_default()),
        _ => return None,
    };
    Some(Packet {
        kind,
        from: SocketAddr::new(from, number(0)?),
        to: SocketAddr::new(to, number(2)?),
        mark,
    })
}

#[test]
fn the_observer_sees_attempts_that_nobody_answers() {
    if !crate::namespace::entered(module_path!(), "the_observer_sees_attempts_that_nobody_answers") {
        return;
    }
    let observer = Observer::start();
    let mut expected = Vec::new();
    for address in [
        "169.254.169.254:80",
        "127.0.0.1:81",
        "[fd00:ec2::254]:80",
        "[::1]:81",
        "93.184.216.34:22",
    ] {
        std::net::TcpStream::connect(address).expect_err(address);
        expected.push(address.parse::<SocketAddr>().unwrap());
    }
    UdpSocket::bind("[::]:0")
        .unwrap()
        .send_to(b"lookup", "[2606:4700::1111]:53")
        .unwrap();
    assert_eq!(observer.connects(), expected, "each of them once");
    assert_eq!(observer.datagrams(), ["[2606:4700::1111]:53".parse().unwrap()]);
    assert!(observer.connects().is_empty() && observer.datagrams().is_empty());
}
