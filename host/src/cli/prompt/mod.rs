//! Asks the operator on the terminal.

mod keys;
mod lines;
mod screen;
mod view;

use std::io::{self, IsTerminal};
use std::os::fd::OwnedFd;
use std::sync::Arc;

use clap::builder::styling::Style;
use rustix::fs::{Mode, OFlags};
use rustix::termios::{QueueSelector, tcflush, tcgetwinsize};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;
use toolgate::approvals::this_user;
use toolgate::gate::{Answer, Approver, Asked, PromptError};
use toolgate::mcp::visible::escape;
use toolgate::prompters::OneAtATime;
use toolgate::{Decision, PromptRequest, Prompter};

use super::output;
use keys::Key;
use screen::{Screen, Size};

pub(super) use keys::{key, parse as parse_decision};
pub(super) use view::View;

const STRONG: Style = Style::new().bold();

/// What stands below a question that needs no answer any more.
pub(super) const WITHDRAWN: &str = "\n  withdrawn: it was answered elsewhere, or the call has ended\n";

/// Longest answer looked at, in bytes; a longer line is no answer.
const MAX_ANSWER: usize = 256;

/// The controlling terminal, opened anew: its open file description is ours
/// alone, so reading it without blocking changes nothing for the shell, and
/// dropping a question leaves no thread behind that swallows the next line.
pub(super) struct Terminal {
    tty: OwnedFd,
    user: String,
}

impl Terminal {
    /// The terminal, if there is an operator to ask: standard error is a
    /// terminal and so is standard input, unless that one carries the arguments.
    pub(super) fn open(stdin_is_taken: bool) -> Option<Self> {
        let attended = io::stderr().is_terminal() && (stdin_is_taken || io::stdin().is_terminal());
        if !attended {
            return None;
        }
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let tty = rustix::fs::open("/dev/tty", flags, Mode::empty()).ok()?;
        Some(Self { tty, user: this_user() })
    }

    /// The same as a prompter that shows one question at a time.
    pub(super) fn prompter(stdin_is_taken: bool) -> Option<Arc<dyn Prompter>> {
        Some(Arc::new(OneAtATime::new(Self::open(stdin_is_taken)?)))
    }

    /// Asks until the answer is clear; `None` at the end of input.
    ///
    /// # Errors
    /// When the terminal cannot be read.
    pub(super) async fn ask(&self, view: &View<'_>) -> io::Result<Option<Decision>> {
        // Keys pressed before the question was seen are no answer to it.
        tcflush(&self.tty, QueueSelector::IFlush)?;
        let size = tcgetwinsize(&self.tty).map_or(Size::default(), |size| Size::new(size.ws_col, size.ws_row));
        let mut screen = Screen::new(view, size);
        output::remark(&screen.first());
        loop {
            let keys = keys::all(view.choices, screen.has_more());
            output::remark(&format!("{STRONG}Allow? [{}]{STRONG:#} ", keys::inline(&keys)));
            let Some(line) = self.line().await? else {
                output::remark("\n");
                return Ok(None);
            };
            match keys::read(&line, view.choices) {
                Key::Decision(decision) => return Ok(Some(decision)),
                Key::More if screen.has_more() => output::remark(&screen.more()),
                Key::More | Key::Unclear => output::remark(&format!(
                    "{:?} is not an answer here; type {}\n",
                    escape(line.trim()),
                    keys::in_words(&keys)
                )),
            }
        }
    }

    /// One line, or `None` at the end of input.
    async fn line(&self) -> io::Result<Option<String>> {
        // What tokio calls a pipe here is any descriptor that can be polled; it
        // has no type for terminals.
        let mut tty = pipe::Receiver::from_owned_fd_unchecked(self.tty.try_clone()?)?;
        let mut line = Vec::new();
        loop {
            let mut buffer = [0; MAX_ANSWER];
            let count = tty.read(&mut buffer).await?;
            if count == 0 {
                return Ok(None);
            }
            line.extend_from_slice(&buffer[..count]);
            if line.ends_with(b"\n") || line.len() > MAX_ANSWER {
                return Ok(Some(String::from_utf8_lossy(&line).into_owned()));
            }
        }
    }
}

impl Prompter for Terminal {
    fn prompt<'a>(&'a self, request: &'a PromptRequest) -> Asked<'a> {
        Box::pin(async move {
            let view = View::from(request);
            let mut open = Open(true);
            let asked = self.ask(&view).await;
            open.0 = false;
            match asked {
                Ok(Some(decision)) => Ok(Answer {
                    decision,
                    approver: Some(Approver {
                        who: self.user.clone(),
                        how: "terminal".to_owned(),
                    }),
                }),
                Ok(None) => Err(PromptError::Closed("the terminal's input has ended".to_owned())),
                Err(error) => Err(PromptError::Failed(format!("the terminal cannot be read: {error}"))),
            }
        })
    }
}

/// A question on the terminal. When it is dropped unanswered, the operator is
/// told that nothing waits for the answer any more.
struct Open(bool);

impl Drop for Open {
    fn drop(&mut self) {
        if self.0 {
            output::remark(WITHDRAWN);
        }
    }
}
