//! The operator's side: all running servers of one state directory.

use std::collections::{BTreeSet, HashSet};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::places;
use super::protocol::{Acknowledged, Ended, Event, Prompt, Refusal, RefusalCode, Reply};
use super::server::{ClientError, Message, Server};
use crate::gate::Decision;

/// How often to look for new servers.
const LOOK: Duration = Duration::from_millis(250);

/// What a watching operator learns.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    /// A question is open.
    Prompt(Box<Prompt>),
    /// A question is no longer open.
    Ended {
        /// Its id.
        id: String,
        /// Why.
        reason: Ended,
    },
}

/// Speaks with all servers of one state directory.
#[derive(Debug, Clone)]
pub struct Operator {
    folder: PathBuf,
}

impl Operator {
    /// For the servers that keep their state in this directory.
    pub fn new(state: &Path) -> Self {
        Self {
            folder: places::folder(state),
        }
    }

    /// The open questions of all servers, oldest first.
    ///
    /// # Errors
    /// When the directory cannot be read. A server that does not answer is
    /// left out, with a warning in the log.
    pub async fn pending(&self) -> Result<Vec<Prompt>, ClientError> {
        let mut pending = Vec::new();
        for socket in self.sockets()? {
            match self.list(&socket).await {
                Ok(prompts) => pending.extend(prompts),
                Err(error) => tracing::warn!("{error}"),
            }
        }
        pending.sort_by(|one, other| one.at.cmp(&other.at));
        Ok(pending)
    }

    /// Answers a question, at whichever server it waits.
    ///
    /// # Errors
    /// `Refused` by the server that knows the question, or by all.
    pub async fn answer(&self, id: &str, decision: Decision) -> Result<Acknowledged, ClientError> {
        let unknown = format!("no running server has a question {id:?}; `toolgate approvals` lists them");
        let mut error = ClientError::Refused(Refusal::new(RefusalCode::UnknownId, unknown));
        for socket in self.sockets()? {
            match self.answer_at(&socket, id, decision).await {
                Ok(acknowledged) => return Ok(acknowledged),
                Err(ClientError::Refused(Refusal {
                    code: RefusalCode::UnknownId,
                    ..
                })) => {}
                Err(ClientError::Refused(refusal)) => return Err(refusal.into()),
                Err(other) => error = other,
            }
        }
        Err(error)
    }

    /// Watches all servers, those that start later too, until the receiver is
    /// dropped. Runs in the current runtime.
    pub fn watch(&self) -> mpsc::Receiver<News> {
        let (sender, receiver) = mpsc::channel(64);
        let operator = self.clone();
        tokio::spawn(async move {
            let closed = sender.clone();
            tokio::select! {
                () = closed.closed() => {}
                () = operator.follow_all(sender) => {}
            }
        });
        receiver
    }

    async fn follow_all(&self, news: mpsc::Sender<News>) {
        let mut followed = HashSet::new();
        let mut tasks = JoinSet::new();
        loop {
            match self.sockets() {
                Ok(sockets) => {
                    for socket in sockets {
                        if followed.insert(socket.clone()) {
                            let (operator, news) = (self.clone(), news.clone());
                            tasks.spawn(async move {
                                operator.follow(&socket, news).await;
                                socket
                            });
                        }
                    }
                }
                Err(error) => tracing::warn!("{error}"),
            }
            tokio::time::sleep(LOOK).await;
            while let Some(ended) = tasks.try_join_next() {
                if let Ok(socket) = ended {
                    followed.remove(&socket);
                }
            }
        }
    }

    /// Hands on what one server tells; when it is gone, so are its questions.
    async fn follow(&self, socket: &str, news: mpsc::Sender<News>) {
        let mut open = BTreeSet::new();
        if let Err(error) = self.follow_to_the_end(socket, &news, &mut open).await {
            tracing::debug!("{error}");
        }
        for id in open {
            let reason = Ended::Withdrawn;
            // Nobody may be left to be told.
            let _ = news.send(News::Ended { id, reason }).await;
        }
    }

    async fn follow_to_the_end(
        &self,
        socket: &str,
        news: &mpsc::Sender<News>,
        open: &mut BTreeSet<String>,
    ) -> Result<(), ClientError> {
        let Some(mut server) = Server::connect(&self.folder, socket).await? else {
            return Ok(());
        };
        server.send(&serde_json::json!({"request": "watch"})).await?;
        server.reply().await?;
        loop {
            let told = match server.event().await? {
                Event::Prompt(prompt) => {
                    open.insert(prompt.id.clone());
                    News::Prompt(Box::new(prompt))
                }
                Event::Withdrawn { id, reason } => {
                    open.remove(&id);
                    News::Ended { id, reason }
                }
            };
            if news.send(told).await.is_err() {
                return Ok(());
            }
        }
    }

    async fn list(&self, socket: &str) -> Result<Vec<Prompt>, ClientError> {
        let Some(mut server) = Server::connect(&self.folder, socket).await? else {
            return Ok(Vec::new());
        };
        server.send(&serde_json::json!({"request": "list"})).await?;
        let mut prompts: Vec<Prompt> = Vec::new();
        loop {
            match server.message().await? {
                Message::Event(Event::Prompt(prompt)) => prompts.push(prompt),
                Message::Event(Event::Withdrawn { id, .. }) => prompts.retain(|prompt| prompt.id != id),
                Message::Reply(Reply::Refused(refusal)) => return Err(refusal.into()),
                Message::Reply(_) => return Ok(prompts),
            }
        }
    }

    async fn answer_at(&self, socket: &str, id: &str, decision: Decision) -> Result<Acknowledged, ClientError> {
        let unknown = || Refusal::new(RefusalCode::UnknownId, "");
        let mut server = Server::connect(&self.folder, socket).await?.ok_or_else(unknown)?;
        let answer = serde_json::json!({"request": "answer", "id": id, "decision": decision});
        server.send(&answer).await?;
        match server.reply().await? {
            Reply::Acknowledged(acknowledged) => Ok(acknowledged),
            other => Err(server.improper(format!("{other:?} to an answer"))),
        }
    }

    fn sockets(&self) -> Result<Vec<String>, ClientError> {
        let failed = |reason| ClientError::Directory {
            folder: self.folder.display().to_string(),
            reason,
        };
        match places::open(&self.folder).map_err(failed)? {
            Some(folder) => places::names(folder.as_fd()).map_err(failed),
            None => Ok(Vec::new()),
        }
    }
}
