//! `toolgate approvals watch`: asks here what servers want to know.

use std::collections::VecDeque;
use std::process::ExitCode;

use anyhow::{Result, bail};
use tokio::sync::mpsc::Receiver;
use toolgate::approvals::{Ended, News, Operator, Prompt};

use super::super::output;
use super::super::prompt::{Terminal, View, WITHDRAWN};
use super::super::signals::Signal;

pub(super) async fn run(operator: &Operator) -> Result<ExitCode> {
    let Some(terminal) = Terminal::open(false) else {
        bail!(
            "`toolgate approvals watch` asks on a terminal, and this is none; `toolgate approvals` lists the \
             questions, `toolgate approvals answer ID DECISION` answers one"
        );
    };
    let signal = Signal::next()?;
    output::remark("Questions of running servers are asked here. Ctrl-C ends it.\n");
    tokio::select! {
        signal = signal => {
            output::remark("\n");
            Ok(signal.exit_code())
        }
        ended = ask_all(operator, &terminal) => ended.map(|()| ExitCode::SUCCESS),
    }
}

/// Until the terminal's input ends.
async fn ask_all(operator: &Operator, terminal: &Terminal) -> Result<()> {
    let mut news = operator.watch();
    let mut waiting = VecDeque::new();
    loop {
        let Some(prompt) = waiting.pop_front() else {
            match news.recv().await {
                Some(news) => note(news, &mut waiting),
                None => bail!("the servers can no longer be watched"),
            }
            continue;
        };
        let prompt: Box<Prompt> = prompt;
        let view = View::from(&*prompt);
        let decision = tokio::select! {
            decision = terminal.ask(&view) => decision?,
            reason = ended(&prompt.id, &mut news, &mut waiting) => {
                output::remark(match reason {
                    Ended::Answered => "\n  answered by somebody else\n",
                    Ended::Withdrawn => WITHDRAWN,
                });
                continue;
            }
        };
        let Some(decision) = decision else {
            return Ok(());
        };
        match operator.answer(&prompt.id, decision).await {
            Ok(_) => output::remark(&format!("  {decision}\n")),
            Err(error) => output::notice(&error.to_string()),
        }
    }
}

/// Resolves when the question is no longer open; meanwhile others may come and go.
async fn ended(id: &str, news: &mut Receiver<News>, waiting: &mut VecDeque<Box<Prompt>>) -> Ended {
    loop {
        match news.recv().await {
            Some(News::Ended { id: ended, reason }) if ended == id => return reason,
            Some(news) => note(news, waiting),
            None => return std::future::pending().await,
        }
    }
}

fn note(news: News, waiting: &mut VecDeque<Box<Prompt>>) {
    match news {
        News::Prompt(prompt) => waiting.push_back(prompt),
        News::Ended { id, .. } => waiting.retain(|prompt| prompt.id != id),
    }
}
