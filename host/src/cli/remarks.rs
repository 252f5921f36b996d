//! What the operator should know of the configuration, on standard error.

use toolgate::config::{Effective, LoadedFile, Remark};
use toolgate::mcp::visible::escape;

use super::output;

/// How many remarks are shown before a pointer to `toolgate check`: a file shared with another
/// program may hold dozens of keys that are not for this one.
const SHOWN: usize = 3;

/// At a start: each file that is not trusted, in one line, and the first other remarks.
pub(super) fn at_start(effective: &Effective) {
    for file in effective.untrusted().filter(|file| !file.passed_over.is_empty()) {
        output::notice(&untrusted(file));
    }
    let others: Vec<&Remark> = effective
        .remarks
        .iter()
        .filter(|remark| !effective.files.iter().any(|file| file.passed_over.contains(remark)))
        .collect();
    for remark in others.iter().take(SHOWN) {
        output::notice(&escape(&remark.to_string()));
    }
    if let Some(more) = others.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        output::notice(&format!(
            "{more} more remarks on the configuration; `toolgate check` shows them"
        ));
    }
}

fn untrusted(file: &LoadedFile) -> String {
    let keys: Vec<&str> = file.passed_over.iter().map(|remark| remark.key.as_str()).collect();
    let (do_not, them) = match keys.len() {
        1 => ("does not", "it"),
        _ => ("do not", "them"),
    };
    let text = format!(
        "{} is not trusted, so its {} {do_not} count; `toolgate trust` shows {them} and asks",
        file.path.display(),
        keys.join(", ")
    );
    escape(&text)
}
