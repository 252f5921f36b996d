//! Shell commands: what is called safe is one plain command, and everything that is said of a text agrees.

use toolgate::gate::shell::{
    MAX_BYTES, Reason, covers, denied, is_safe, runs, search_verb, searches, simple_commands, single_command, verb,
};

use super::pace::bounded;
use super::plain_shell;

/// A command that occurs in no text; whoever runs it runs everything.
const NOBODY: &str = "\u{1}nobody\u{1}";

/// The input is a command line.
pub(crate) fn check(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    bounded("a command", input.len(), || {
        safe(&text);
        contents(&text);
        refusals(&text);
        verbs(&text);
        after_a_line(&text);
        inside(&text);
    });
    // Seldom, since it takes long: what is slow for long texts only.
    if input
        .iter()
        .fold(0_u8, |sum, byte| sum.wrapping_mul(31).wrapping_add(*byte))
        == 7
        && !text.is_empty()
    {
        let long = text.repeat(MAX_BYTES / text.len());
        bounded("a long command", long.len(), || {
            (is_safe(&long).is_ok(), denied(&long), searches(&long).len())
        });
    }
}

fn safe(text: &str) {
    if let Err(reason) = is_safe(text) {
        assert!(!reason.to_string().is_empty());
        return;
    }
    let Some(plain) = plain_shell::words(text) else {
        panic!("{text:?} is called safe, and is not one plain command");
    };
    let single = single_command(text).unwrap_or_else(|error| panic!("{text:?} is safe, and not one: {error}"));
    let found: Vec<&str> = single.words().iter().map(|word| word.text()).collect();
    assert_eq!(found, plain, "the words of {text:?}");
    for word in single.words() {
        assert!(word.literal().is_none_or(|literal| literal == word.text()));
    }
    let name = single
        .command()
        .unwrap_or_else(|| panic!("{text:?} is safe, and its command unknown"));
    assert!(runs(text, name), "{text:?} is safe, and does not run {name:?}");
    let all = simple_commands(text);
    assert!(
        all.len() == 1 || name == "command",
        "{text:?} is safe, and runs more than one command: {all:?}"
    );
}

fn contents(text: &str) {
    if runs(text, NOBODY) {
        return;
    }
    let all = simple_commands(text);
    // Where quotes stand for other characters, words need not occur in the text.
    let decodes = ['$', '\'', '\\'].iter().all(|char| text.contains(*char));
    for words in &all {
        assert!(!words.words().is_empty());
        for name in [words.name(), words.command()].into_iter().flatten() {
            assert!(runs(text, name), "{text:?} runs {name:?}");
        }
        for word in words.words().iter().filter(|_| !decodes) {
            assert!(
                occurs(word.text(), text),
                "{:?} does not occur in {text:?}",
                word.text()
            );
        }
    }
    for name in ["rm", "ls", "sh"] {
        let named = all
            .iter()
            .any(|words| words.name() == Some(name) || words.command() == Some(name));
        assert_eq!(runs(text, name), named, "{text:?} runs {name}");
    }
    for search in searches(text) {
        assert!(runs(text, search.binary), "{text:?} searches with {}", search.binary);
    }
    assert_eq!(search_verb(text), searches(text).first().map(|search| search.verb));
}

/// Whether the letters of a word stand in the text in this order, blanks apart.
fn occurs(word: &str, text: &str) -> bool {
    let mut rest = text.chars();
    word.chars()
        .filter(|char| !char.is_whitespace())
        .all(|char| rest.any(|found| found == char))
}

fn refusals(text: &str) {
    let Some(reason) = denied(text) else { return };
    assert!(!reason.to_string().is_empty());
    let any = |names: &[&str]| names.iter().any(|name| runs(text, name));
    let sound = match reason {
        Reason::RemoveEverything => any(&["rm"]),
        Reason::OverwriteDevice => any(&["dd"]),
        Reason::DestroyData => any(&["shred", "wipefs"]),
        Reason::ChangeAllModes => any(&["chmod"]),
        Reason::ChangeAllOwners => any(&["chown"]),
        Reason::RunDownload => any(&["curl", "wget"]) && any(&["sh", "bash", "zsh", "ash", "dash"]),
        Reason::MakeFilesystem => simple_commands(text)
            .iter()
            .any(|words| words.name().is_some_and(|name| name.starts_with("mkfs"))),
        Reason::ForkBomb => text.contains(':'),
        Reason::TooInvolved => any(&[NOBODY]),
    };
    assert!(sound, "{text:?} is refused for {reason:?}");
}

fn verbs(text: &str) {
    let Some(verb) = verb(text) else { return };
    assert!(text.contains(verb));
    if covers(verb, text) {
        assert!(is_safe(text).is_ok());
        let name = single_command(text)
            .ok()
            .and_then(|words| words.command().map(str::to_owned));
        assert_eq!(name.as_deref(), Some(verb), "a grant for {verb:?} covers {text:?}");
    }
    assert!(!covers(NOBODY, text));
}

/// A line that is complete runs, whatever follows it.
fn after_a_line(text: &str) {
    let text = format!("rm -rf /\n{text}");
    if text.len() > MAX_BYTES {
        return;
    }
    assert!(runs(&text, "rm") && denied(&text).is_some(), "{text:?}");
    if let Ok(()) = is_safe(&text) {
        assert!(
            single_command(&text).is_ok_and(|words| words.name() == Some("rm")),
            "{text:?}"
        );
    }
}

/// A command is found wherever it stands.
fn inside(text: &str) {
    let Ok(single) = single_command(text) else { return };
    let Some(name) = single.command().filter(|_| is_safe(text).is_ok()) else {
        return;
    };
    // At the end of a text a backslash stands for itself, and before more text it does not.
    if text.ends_with('\\') || name.starts_with(['-', '+']) || name.contains('=') {
        return;
    }
    let quoted = text.replace('\'', "'\\''");
    let places = [
        format!("true\n{text}\n"),
        format!("true;{text}\n"),
        format!("a | {text}\n"),
        format!("a && ! {text}\n"),
        format!("( {text}\n)"),
        format!("{{ {text}\n}}"),
        format!("if a; then {text}\nfi"),
        format!("while {text}\ndo a; done"),
        format!("case a in a) {text}\nesac"),
        format!("f() {{ {text}\n}}"),
        format!("x=$({text}\n)"),
        format!("a \"$( {text}\n)\""),
        format!("a ${{x:-$({text}\n)}}"),
        format!("a <<E\n$({text}\n)\nE\n"),
        format!("a > $({text}\n)"),
        format!("sh -c '{quoted}'"),
        format!("env X=1 nice -n 3 bash -ec '{quoted}' a"),
        format!("eval '{quoted}'"),
        format!("eval -- '{quoted}'"),
        format!("trap '{quoted}' EXIT"),
        format!("trap -- '{quoted}' EXIT"),
    ];
    // These take words, not lines.
    let is_line = text.contains(['\n', ';', '#']);
    let wrapped = [
        format!("sudo -u me -- {text}"),
        format!("timeout -k 1 5 {text}"),
        format!("a | xargs -n 1 {text}"),
        format!("find . -name a -exec {text} \\;"),
        format!("command exec -a b {text}"),
        format!("env -u X Y=1 {text}"),
        format!("nohup setsid -w stdbuf -o L {text}"),
        format!("flock -w 1 f {text}"),
        format!("time -p nice -n 1 ionice -c 2 {text}"),
    ];
    // Lines of a here-document are joined before anything in them is read, and the word alone ends it.
    let ends = text.contains("\\\n") || text.lines().any(|line| line == "E");
    let is_cut = |place: &str| place.contains("<<E") && ends;
    let places = places.iter().chain(wrapped.iter().filter(|_| !is_line));
    for place in places.filter(|place| place.len() <= MAX_BYTES && !is_cut(place)) {
        assert!(runs(place, name), "{place:?} runs {name:?}");
        let first = matches!(single_command(place), Ok(words) if words.command() == Some(name));
        assert!(first || is_safe(place).is_err(), "{place:?} is called safe");
    }
}
