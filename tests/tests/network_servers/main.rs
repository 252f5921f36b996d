//! What lives here: `fetch_url` against real servers that are slow, endless, broken, malicious or merely odd.
//! `cargo test` runs it; rows N06 (what answers may be), N07, N08, N15 and N17 are in the names of the tests.
//! It must not touch: the library's insides; what happened is told by the result, by the server's record and by the kernel.
//!
//! With `TOOLGATE_SOAK` set, deadlines are held to 50 ms; run it with `--test-threads=1` then.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod broken;
mod caps;
mod cases;
mod certificates;
mod content;
mod deadlines;
mod encodings;
mod floods;
mod framing;
mod heads;
mod http2;
mod http2_floods;
mod memory;
mod stage;
mod statuses;
mod tls;

use toolgate_tests::support::measure;
