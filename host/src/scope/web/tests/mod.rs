//! Tests of the URL scope: the rows of tests/vectors, ranges against a list of their own, and made-up input.
//! Run by `cargo test` alone.
//! Must not touch: the network.

mod addresses;
mod bundles;
mod made_up;
mod ranges;
mod spellings;
mod urls;

/// Words that a message must hold, and words that it must not.
fn check_words(id: &str, message: &str, says: &[String], silent: &[String]) {
    for word in says {
        assert!(message.contains(word.as_str()), "{id}: {word:?} is not in: {message}");
    }
    for word in silent {
        assert!(!message.contains(word.as_str()), "{id}: {word:?} is in: {message}");
    }
}
