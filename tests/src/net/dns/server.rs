//! The server.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr, TcpListener, UdpSocket};
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::answer::{Answer, Question};
use super::wire::{Query, parse, response};
use crate::net::background::Background;
use crate::net::service::{LOOPBACK, bind};

/// How often a port free for both UDP and TCP is looked for.
const ATTEMPTS: usize = 100;

/// A DNS server on a free port of 127.0.0.1, the same for UDP and TCP.
pub struct DnsServer {
    address: SocketAddr,
    state: Arc<State>,
    _background: Background,
}

type Respond = dyn Fn(&Question) -> Answer + Send + Sync;

struct State {
    respond: Box<Respond>,
    questions: Mutex<Vec<Question>>,
}

impl DnsServer {
    /// A server that answers by a function, which runs on the server's thread
    /// and must not block.
    ///
    /// # Panics
    /// When no port is free.
    pub fn start(respond: impl Fn(&Question) -> Answer + Send + Sync + 'static) -> Self {
        let (udp, tcp) = ports();
        let address = udp.local_addr().expect("a socket has an address");
        let state = Arc::new(State {
            respond: Box::new(respond),
            questions: Mutex::default(),
        });
        let serve = {
            let state = Arc::clone(&state);
            async move {
                tokio::join!(serve_udp(udp, Arc::clone(&state)), serve_tcp(tcp, state));
            }
        };
        Self {
            address,
            state,
            _background: Background::start("dns-server", serve),
        }
    }

    /// A server that knows these names (in lower case); others do not exist.
    pub fn table(names: &[(&str, &[IpAddr])]) -> Self {
        let names: HashMap<String, Vec<IpAddr>> = names
            .iter()
            .map(|(name, addresses)| ((*name).to_owned(), addresses.to_vec()))
            .collect();
        Self::start(move |question| match names.get(&question.name) {
            Some(addresses) => Answer::addresses(question, addresses),
            None => Answer::no_such_name(),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Every question so far.
    pub fn questions(&self) -> Vec<Question> {
        self.state.questions().clone()
    }

    /// The names asked for, in order, each as often as it was asked for.
    pub fn names(&self) -> Vec<String> {
        self.state
            .questions()
            .iter()
            .map(|question| question.name.clone())
            .collect()
    }
}

impl State {
    fn answer(&self, query: &Query, tcp: bool) -> Answer {
        let question = {
            let mut questions = self.questions();
            let same = |question: &&Question| question.name == query.name && question.kind == query.kind;
            let question = Question {
                name: query.name.clone(),
                kind: query.kind,
                nth: questions.iter().filter(same).count() + 1,
                tcp,
            };
            questions.push(question.clone());
            question
        };
        (self.respond)(&question)
    }

    fn questions(&self) -> MutexGuard<'_, Vec<Question>> {
        self.questions.lock().expect("no thread panicked with the questions")
    }
}

async fn serve_udp(socket: UdpSocket, state: Arc<State>) {
    let socket = Arc::new(tokio::net::UdpSocket::from_std(socket).expect("a non-blocking socket"));
    let mut buffer = vec![0; 1 << 16];
    loop {
        // An error here reports on an earlier answer that nobody wanted any more.
        let Ok((length, client)) = socket.recv_from(&mut buffer).await else {
            continue;
        };
        let Some(query) = parse(&buffer[..length]) else {
            continue;
        };
        let (socket, state) = (Arc::clone(&socket), Arc::clone(&state));
        tokio::spawn(async move {
            let answer = state.answer(&query, false);
            if answer.silent {
                return;
            }
            tokio::time::sleep(answer.delay).await;
            let whole = response(&query, &answer, answer.truncated);
            let message = match whole.len() > query.limit {
                true => response(&query, &answer, true),
                false => whole,
            };
            let _ = socket.send_to(&message, client).await;
        });
    }
}

async fn serve_tcp(listener: TcpListener, state: Arc<State>) {
    let listener = tokio::net::TcpListener::from_std(listener).expect("a non-blocking listener");
    loop {
        let Ok((mut stream, _)) = listener.accept().await else {
            tokio::task::yield_now().await;
            continue;
        };
        let state = Arc::clone(&state);
        tokio::spawn(async move {
            // Messages are preceded by their length (RFC 1035, section 4.2.2).
            while let Ok(length) = stream.read_u16().await {
                let mut message = vec![0; usize::from(length)];
                let read = stream.read_exact(&mut message).await;
                let Some(query) = read.ok().and_then(|_| parse(&message)) else {
                    return;
                };
                let answer = state.answer(&query, true);
                if answer.silent {
                    continue;
                }
                tokio::time::sleep(answer.delay).await;
                let message = response(&query, &answer, false);
                let length = u16::try_from(message.len()).expect("an answer below 64 KiB");
                let framed = [&length.to_be_bytes()[..], &message].concat();
                if stream.write_all(&framed).await.is_err() {
                    return;
                }
            }
        });
    }
}

/// A port for both protocols: the system gives one for TCP, which another
/// process may have for UDP.
fn ports() -> (UdpSocket, TcpListener) {
    for _ in 0..ATTEMPTS {
        let tcp = bind(LOOPBACK);
        let address = tcp.local_addr().expect("a listener has an address");
        if let Ok(udp) = UdpSocket::bind(address) {
            udp.set_nonblocking(true).expect("a socket can be made non-blocking");
            return (udp, tcp);
        }
    }
    panic!("no port is free for both UDP and TCP");
}
