//! The word that a grant for "all commands of this kind" goes by.

use super::safe::is_safe;
use super::wrappers::is_assignment;

/// The word that names what a command line does: the first that is not an
/// assignment. Nothing when quotes, a path, an option or other syntax stands
/// there, because a grant for it would not say what it covers.
pub fn verb(command: &str) -> Option<&str> {
    // What else Unicode calls a blank is a part of the word for every shell.
    for word in command.split([' ', '\t', '\n']).filter(|word| !word.is_empty()) {
        if word.contains(['\'', '"', '`', '\\', '$']) {
            return None;
        }
        if is_assignment(word) {
            continue;
        }
        let plain = |char: char| char.is_alphanumeric() || "_.-+".contains(char);
        return (word.chars().all(plain) && !word.starts_with('-') && word.contains(char::is_alphanumeric))
            .then_some(word);
    }
    None
}

/// Whether a grant for a verb covers a command.
pub fn covers(granted: &str, command: &str) -> bool {
    verb(command) == Some(granted) && is_safe(command).is_ok()
}
