//! A body that is made while it is sent.

use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame};
use tokio::sync::mpsc;

/// Why a body ended early; hyper turns it into a reset of the stream.
#[derive(Debug)]
pub(super) struct Broken;

impl std::fmt::Display for Broken {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the body was broken off on purpose")
    }
}

impl std::error::Error for Broken {}

/// The sending end; it fails when the client has left.
pub(super) type Pieces = mpsc::Sender<Result<Bytes, Broken>>;

/// The body made of what is sent into it.
pub(super) struct Flow(mpsc::Receiver<Result<Bytes, Broken>>);

/// A body and its source. One piece waits at a time, so that the client's
/// reading sets the pace.
pub(super) fn flow() -> (Pieces, Flow) {
    let (pieces, receiver) = mpsc::channel(1);
    (pieces, Flow(receiver))
}

impl Body for Flow {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        self.0
            .poll_recv(context)
            .map(|piece| piece.map(|bytes| bytes.map(Frame::data)))
    }
}
