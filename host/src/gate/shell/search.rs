//! Commands that search files or their contents, for which there are tools.

use super::parse::parse;
use super::profiles::ACTIONS;
use super::syntax::{Command, Dialect, Kind, List, Word, base_name};

/// What a search looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchVerb {
    /// Text in files.
    Grep,
    /// Files by name.
    Find,
}

/// A search in a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// The program, without its path.
    pub binary: &'static str,
    /// What it looks for.
    pub verb: SearchVerb,
}

const GREP: [&str; 7] = ["grep", "egrep", "fgrep", "rgrep", "rg", "ag", "ack"];
const FIND: [&str; 3] = ["find", "fd", "fdfind"];

/// The programs that count as this kind of search.
pub fn binaries(verb: SearchVerb) -> &'static [&'static str] {
    match verb {
        SearchVerb::Grep => &GREP,
        SearchVerb::Find => &FIND,
    }
}

/// The kind of the first search in a command line.
pub fn search_verb(command: &str) -> Option<SearchVerb> {
    searches(command).first().map(|search| search.verb)
}

/// The searches in a command line, in order. Filters do not count: what stands
/// behind a pipe reads no files. This steers, it does not protect, so anything
/// that is not plain is let through: keywords, functions, substitutions,
/// wrappers, computed names and texts that do not parse.
pub fn searches(command: &str) -> Vec<Search> {
    let script = parse(command, Dialect::Bash, 0);
    let mut found = Vec::new();
    if script.failure.is_none() {
        list(&script.list, &mut found);
    }
    found
}

fn list(list: &List, found: &mut Vec<Search>) {
    let pipelines = list.iter().flat_map(|statement| &statement.pipelines);
    for stage in pipelines
        .filter(|pipeline| !pipeline.timed)
        .filter_map(|pipeline| pipeline.stages.first())
    {
        command(stage, found);
    }
}

fn command(command: &Command, found: &mut Vec<Search>) {
    match &command.kind {
        Kind::Simple(simple) => found.extend(search(&simple.words)),
        Kind::Subshell(inner) | Kind::Group(inner) => list(inner, found),
        Kind::Compound { .. } | Kind::Function { .. } | Kind::Coprocess(_) => {}
    }
}

fn search(words: &[Word]) -> Option<Search> {
    let (name, arguments) = words.split_first()?;
    let name = base_name(name.literal()?);
    let named = |list: &'static [&'static str]| list.iter().copied().find(|binary| *binary == name);
    if let Some(binary) = named(&GREP) {
        return Some(Search {
            binary,
            verb: SearchVerb::Grep,
        });
    }
    let binary = named(&FIND)?;
    let acts = if binary == "find" { acts } else { executes };
    (!arguments.iter().any(acts)).then_some(Search {
        binary,
        verb: SearchVerb::Find,
    })
}

/// Whether an argument of `find` is an action, or may become one.
fn acts(word: &Word) -> bool {
    !word.traits.expands
        && (ACTIONS.contains(&word.text()) || word.text().starts_with('-') && (word.traits.braces || word.traits.glob))
}

/// Whether an argument of `fd` runs a command.
fn executes(word: &Word) -> bool {
    let text = word.text();
    match text.strip_prefix("--") {
        Some(_) => matches!(text.split('=').next(), Some("--exec" | "--exec-batch")),
        None => text
            .strip_prefix('-')
            .is_some_and(|cluster| cluster.contains(['x', 'X'])),
    }
}
