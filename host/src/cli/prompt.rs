//! Asks the operator on the terminal.

use std::future::Future;
use std::io::{self, IsTerminal};
use std::os::fd::OwnedFd;
use std::pin::Pin;
use std::sync::Arc;

use clap::builder::styling::{AnsiColor, Style};
use rustix::fs::{Mode, OFlags};
use rustix::termios::{QueueSelector, tcflush};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;
use tokio::sync::Mutex;
use toolgate::gate::PromptKind;
use toolgate::mcp::visible::escape;
use toolgate::{Decision, PromptRequest, Prompter};

use super::output;

const STRONG: Style = Style::new().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// Longest answer looked at, in bytes; a longer line is no answer.
const MAX_ANSWER: usize = 256;

/// The controlling terminal, opened anew: its open file description is ours
/// alone, so reading it without blocking changes nothing for the shell, and
/// dropping a question leaves no thread behind that swallows the next line.
pub(super) struct Terminal {
    tty: OwnedFd,
    turn: Mutex<()>,
}

impl Terminal {
    /// A prompter, if there is an operator to ask: standard error is a terminal
    /// and so is standard input, unless that one carries the arguments.
    pub(super) fn open(stdin_is_taken: bool) -> Option<Arc<dyn Prompter>> {
        let attended = io::stderr().is_terminal() && (stdin_is_taken || io::stdin().is_terminal());
        if !attended {
            return None;
        }
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let tty = rustix::fs::open("/dev/tty", flags, Mode::empty()).ok()?;
        Some(Arc::new(Self {
            tty,
            turn: Mutex::new(()),
        }))
    }

    async fn ask(&self, request: &PromptRequest) -> io::Result<Decision> {
        // Keys pressed before the question was seen are no answer to it.
        tcflush(&self.tty, QueueSelector::IFlush)?;
        output::remark(&question(request));
        loop {
            output::remark(&format!("{STRONG}Allow? [y/s/t/N]{STRONG:#} "));
            let Some(line) = self.line().await? else {
                output::remark("\n");
                return Ok(Decision::Deny);
            };
            match answer(&line) {
                Some(decision) => return Ok(decision),
                None => output::remark(&format!(
                    "{:?} is not an answer; type y, s, t or n\n",
                    escape(line.trim())
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
    fn prompt<'a>(&'a self, request: &'a PromptRequest) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        Box::pin(async move {
            // One question at a time; the others wait for their turn.
            let _turn = self.turn.lock().await;
            self.ask(request).await.unwrap_or_else(|error| {
                tracing::warn!("the terminal cannot be read, so the call is denied: {error}");
                Decision::Deny
            })
        })
    }
}

/// What is wanted stands last, right above the answer: long arguments scroll
/// themselves away, not the path.
fn question(request: &PromptRequest) -> String {
    let why = match request.kind {
        PromptKind::FileWrite => "changes a file",
        PromptKind::PathScope => "outside the project",
        PromptKind::ControlPlaneWrite => "a file that can grant rights or run commands",
    };
    format!(
        "\n{WARNING}A call needs your approval.{WARNING:#}\n  \
         arguments  {}\n  \
         tool       {STRONG}{}{STRONG:#}\n  \
         wants to   {STRONG}{} {}{STRONG:#}  ({why})\n  \
         y = this once   s = this tool on this path, for the session\n  \
         t = this tool on everything in scope, for the session   n = no\n",
        escape(&request.arguments),
        escape(&request.tool),
        request.operation,
        escape(&request.detail),
    )
}

fn answer(line: &str) -> Option<Decision> {
    match line.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Some(Decision::Once),
        "s" | "session" => Some(Decision::Session),
        "t" | "tool" => Some(Decision::Tool),
        "" | "n" | "no" => Some(Decision::Deny),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clear_answers_count() {
        assert_eq!(answer("y\n"), Some(Decision::Once));
        assert_eq!(answer(" S \n"), Some(Decision::Session));
        assert_eq!(answer("tool"), Some(Decision::Tool));
        assert_eq!(answer("\n"), Some(Decision::Deny));
        assert_eq!(answer("n\n"), Some(Decision::Deny));
        for unclear in ["ok", "yy", "y y", "\u{1b}[A", "sure"] {
            assert_eq!(answer(unclear), None, "{unclear:?}");
        }
    }

    #[test]
    fn the_path_is_shown_last_and_nothing_is_hidden() {
        let text = question(&PromptRequest {
            kind: PromptKind::PathScope,
            tool: "write_file".into(),
            operation: "write",
            detail: "/etc/\u{1b}[8mpasswd".into(),
            arguments: format!("{{\"content\":\"{}\"}}", "x".repeat(100_000)),
        });
        let bare = anstream::adapter::strip_str(&text).to_string();
        assert!(bare.contains("write /etc/\\u{1b}[8mpasswd"), "escape codes are visible");
        assert!(bare.len() > 100_000, "the arguments are complete");
        assert!(bare.rfind("xxx") < bare.find("/etc/"));
    }
}
