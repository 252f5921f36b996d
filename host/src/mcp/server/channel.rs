//! Takes the standard streams for the protocol, away from everybody else.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{FileType, Mode, OFlags};
use rustix::{io as fd, stdio};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::unix::pipe;

pub(super) type Input = Box<dyn AsyncRead + Send + Unpin>;
pub(super) type Output = Box<dyn AsyncWrite + Send + Unpin>;

/// Moves descriptors 0 and 1 to private ones and returns those. From then on
/// descriptor 0 is empty and descriptor 1 is standard error, so a stray print,
/// a panic message or a child process cannot write on the protocol's channel
/// (row M12).
///
/// # Errors
/// When a descriptor cannot be duplicated.
pub(super) fn take() -> io::Result<(Input, Output)> {
    let input = fd::fcntl_dupfd_cloexec(stdio::stdin(), 3)?;
    let output = fd::fcntl_dupfd_cloexec(stdio::stdout(), 3)?;
    let empty = rustix::fs::open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    stdio::dup2_stdin(empty)?;
    stdio::dup2_stdout(stdio::stderr())?;
    Ok((reader(input), writer(output)))
}

/// Pipes, which clients use, are read by the reactor; other kinds of
/// descriptor (files, terminals, sockets) by a blocking thread.
fn reader(input: OwnedFd) -> Input {
    let piped = reopen(&input, OFlags::RDONLY).and_then(|input| pipe::Receiver::from_owned_fd(input).ok());
    match piped {
        Some(pipe) => Box::new(pipe),
        None => Box::new(tokio::fs::File::from_std(File::from(input))),
    }
}

fn writer(output: OwnedFd) -> Output {
    let piped = reopen(&output, OFlags::WRONLY).and_then(|output| pipe::Sender::from_owned_fd(output).ok());
    match piped {
        Some(pipe) => Box::new(pipe),
        None => Box::new(tokio::fs::File::from_std(File::from(output))),
    }
}

/// A pipe's own open file description, so that making it non-blocking does not
/// change the one that the parent process may still use.
fn reopen(of: &OwnedFd, direction: OFlags) -> Option<OwnedFd> {
    use std::os::fd::AsRawFd;

    let status = rustix::fs::fstat(of).ok()?;
    if FileType::from_raw_mode(status.st_mode) != FileType::Fifo {
        return None;
    }
    let path = format!("/proc/self/fd/{}", of.as_raw_fd());
    rustix::fs::open(path, direction | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty()).ok()
}
