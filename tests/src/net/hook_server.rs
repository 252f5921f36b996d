//! A receiver of webhooks with a queue of answers.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::recorder::Recorder;
use super::request::Request;
use super::script::{Script, Step};
use super::script_server::ScriptServer;
use super::scripts;
use super::tls::Identity;

/// One answer.
#[derive(Clone, Debug)]
pub struct HookAnswer {
    /// The status code.
    pub status: u16,
    /// Header fields; the length is added.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// How long the answer takes.
    pub delay: Duration,
}

impl HookAnswer {
    /// A status with a text.
    pub fn new(status: u16, body: &str) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: body.as_bytes().to_vec(),
            delay: Duration::ZERO,
        }
    }

    /// The same with a further header field.
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same after a while.
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    fn script(self) -> Script {
        let headers: Vec<(&str, &str)> = self
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let mut script = scripts::answer(self.status, &headers, &self.body);
        script.insert(0, Step::Wait(self.delay));
        script
    }
}

/// A webhook on a free port of 127.0.0.1. It gives the queued answers in turn,
/// and when there are none left, 200 with `ok`.
pub struct HookServer {
    server: ScriptServer,
    queue: Arc<Mutex<VecDeque<HookAnswer>>>,
}

impl HookServer {
    /// A plain one.
    pub fn start(answers: impl IntoIterator<Item = HookAnswer>) -> Self {
        Self::open(answers, |respond| ScriptServer::start(move |_| respond()))
    }

    /// One over TLS.
    pub fn tls(identity: &Identity, answers: impl IntoIterator<Item = HookAnswer>) -> Self {
        Self::open(answers, |respond| ScriptServer::tls(identity, move |_| respond()))
    }

    fn open(
        answers: impl IntoIterator<Item = HookAnswer>,
        start: impl FnOnce(Box<dyn Fn() -> Script + Send + Sync>) -> ScriptServer,
    ) -> Self {
        let queue: Arc<Mutex<VecDeque<HookAnswer>>> = Arc::new(Mutex::new(answers.into_iter().collect()));
        let shared = Arc::clone(&queue);
        let respond = move || {
            let next = shared.lock().expect("no thread panicked with the queue").pop_front();
            next.map_or_else(|| scripts::ok("ok", "text/plain"), HookAnswer::script)
        };
        Self {
            server: start(Box::new(respond)),
            queue,
        }
    }

    /// Adds an answer to the end of the queue.
    ///
    /// # Panics
    /// When a thread panicked with the queue.
    pub fn push(&self, answer: HookAnswer) {
        self.queue
            .lock()
            .expect("no thread panicked with the queue")
            .push_back(answer);
    }

    /// The requests so far; [`Request::json`] reads their bodies.
    pub fn received(&self) -> Vec<Request> {
        self.server.recorder().requests()
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// A URL with its literal address.
    pub fn url(&self, path: &str) -> String {
        self.server.url(path)
    }

    /// A URL with a name and its port.
    pub fn url_for(&self, host: &str, path: &str) -> String {
        self.server.url_for(host, path)
    }

    /// What it saw.
    pub fn recorder(&self) -> &Recorder {
        self.server.recorder()
    }
}
