//! What the fuzz targets check: one property for each parser, the same that `make test` replays over the corpora.
//! Called by the targets in `targets/`; `tests/tests/corpora.rs` takes in `properties/` by path.
//! Must not touch: anything but the public interface of the host, so that both builds compile the same files.

#![allow(clippy::unwrap_used, reason = "a property that cannot be checked must fail")]

use std::sync::OnceLock;

use properties::config::Places;
use properties::tree::Tree;

mod properties;

/// Permission rules. The input is `rule ␟ tool ␟ key ␟ project`.
pub fn rules(input: &[u8]) {
    properties::rules::check(input);
}

/// The classification of shell commands. The input is a command line.
pub fn shell(input: &[u8]) {
    properties::shell::check(input);
}

/// Paths and scopes. The input is `path ␟ entry ␟ entry …`; an entry is `r PATTERN`, `w PATTERN`, `rw PATTERN` or `-PATTERN`.
pub fn paths(input: &[u8]) {
    static TREE: OnceLock<Tree> = OnceLock::new();
    properties::paths::check(input, TREE.get_or_init(Tree::new));
}

/// URLs, patterns and addresses. The input is `URL ␟ location ␟ address ␟ pattern …`; `-` denies.
pub fn urls(input: &[u8]) {
    properties::urls::check(input);
}

/// The configuration. The input is `operator's file ␟ project's file ␟ its manifest`; a text that starts with `{` is JSON.
pub fn config(input: &[u8]) {
    static PLACES: OnceLock<Places> = OnceLock::new();
    properties::config::check(input, PLACES.get_or_init(Places::new));
}
