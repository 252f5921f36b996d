//! Questions over a local socket: who runs as the same user answers them from another terminal.
//! Front ends open a broker and ask through it; `toolgate approvals` is its client.
//! It must not touch: what an answer means, or any grant. Nothing that a tool can reach leads here.

mod beside;
mod book;
mod broker;
mod client;
mod connection;
mod descent;
mod listener;
mod places;
mod protocol;
mod requests;
mod server;
mod time;
mod user;

pub use broker::{Alone, Broker};
pub use client::{News, Operator};
pub use listener::{ListenError, Listener};
pub use protocol::{Acknowledged, Ended, Prompt, Refusal, RefusalCode};
pub use server::ClientError;
pub use user::this_user;

#[cfg(test)]
mod tests;
