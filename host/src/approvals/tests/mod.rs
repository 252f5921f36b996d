//! The broker over a real socket.

mod protocol;
mod sockets;
mod waiting;

use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;

use super::places;
use super::*;
use crate::gate::{Answer, PromptError, Prompter};
use crate::prompters::test_question;

/// A broker that listens below a state directory of its own.
struct Stage {
    state: tempfile::TempDir,
    broker: Broker,
    _listener: Listener,
}

impl Stage {
    fn new(alone: Alone) -> Self {
        let state = tempfile::tempdir().unwrap();
        let broker = Broker::new(alone);
        let listener = broker.listen(state.path()).unwrap();
        Self {
            state,
            broker,
            _listener: listener,
        }
    }

    fn ask(&self, detail: &str) -> tokio::task::JoinHandle<Result<Answer, PromptError>> {
        let (broker, request) = (self.broker.clone(), test_question(detail));
        tokio::spawn(async move { broker.prompt(&request).await })
    }

    fn operator(&self) -> Operator {
        Operator::new(self.state.path())
    }

    fn folder(&self) -> std::path::PathBuf {
        places::folder(self.state.path())
    }

    async fn connect(&self) -> Client {
        let mut sockets = std::fs::read_dir(self.folder()).unwrap();
        let socket = sockets.next().unwrap().unwrap().path();
        Client(BufReader::new(UnixStream::connect(socket).await.unwrap()))
    }

    /// Waits until so many questions are open.
    async fn pending(&self, count: usize) -> Vec<Prompt> {
        for _ in 0..500 {
            let pending = self.operator().pending().await.unwrap();
            if pending.len() == count {
                return pending;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("there are never {count} questions");
    }
}

struct Client(BufReader<UnixStream>);

impl Client {
    async fn send(&mut self, line: &str) {
        self.0.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    async fn line(&mut self) -> Option<Value> {
        let mut line = String::new();
        let read = tokio::time::timeout(Duration::from_secs(10), self.0.read_line(&mut line)).await;
        read.expect("a line in time").unwrap();
        (!line.is_empty()).then(|| serde_json::from_str(&line).unwrap())
    }

    async fn request(&mut self, request: Value) -> Value {
        self.send(&request.to_string()).await;
        self.line().await.expect("a reply")
    }

    async fn try_list(&mut self) -> bool {
        let _ = self.0.write_all(b"{\"request\":\"list\"}\n").await;
        self.line().await.is_some_and(|reply| reply["reply"] == "listed")
    }
}
