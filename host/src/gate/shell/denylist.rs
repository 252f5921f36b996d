//! Commands that are refused in every mode. A seatbelt against accidents, not a boundary.

use super::commands::{Contents, Words, contents};
use super::syntax::Word;

/// Why a command is refused whatever the rules and the operator say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// `rm -r` of `/` or of the home directory.
    #[error("rm would remove the whole file system or home directory")]
    RemoveEverything,
    /// `dd` onto a device.
    #[error("dd would overwrite a device")]
    OverwriteDevice,
    /// `mkfs`.
    #[error("mkfs would create a file system over what is there")]
    MakeFilesystem,
    /// `shred` and `wipefs`.
    #[error("shred and wipefs destroy data for good")]
    DestroyData,
    /// `chmod -R` of `/`.
    #[error("chmod would change the permissions of the whole file system")]
    ChangeAllModes,
    /// `chown -R` of `/`.
    #[error("chown would change the owner of the whole file system")]
    ChangeAllOwners,
    /// A download piped into a shell.
    #[error("it runs a download in a shell unseen")]
    RunDownload,
    /// A function that only multiplies.
    #[error("it is a fork bomb")]
    ForkBomb,
    /// More wrapping than is looked into.
    #[error("it wraps commands inside commands too deep to check")]
    TooInvolved,
}

impl Reason {
    /// The name of the class.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RemoveEverything => "remove_everything",
            Self::OverwriteDevice => "overwrite_device",
            Self::MakeFilesystem => "make_filesystem",
            Self::DestroyData => "destroy_data",
            Self::ChangeAllModes => "change_all_modes",
            Self::ChangeAllOwners => "change_all_owners",
            Self::RunDownload => "run_download",
            Self::ForkBomb => "fork_bomb",
            Self::TooInvolved => "too_involved",
        }
    }
}

const DOWNLOADERS: [&str; 2] = ["curl", "wget"];
const SHELLS: [&str; 5] = ["sh", "bash", "zsh", "ash", "dash"];

/// Why a command is refused in every mode, or nothing. Looks at every simple
/// command in it; in a text that no shell accepts, at everything like one.
pub fn denied(command: &str) -> Option<Reason> {
    let contents = contents(command);
    contents
        .commands
        .iter()
        .find_map(destroys)
        .or_else(|| {
            contents
                .pipelines
                .iter()
                .any(|stages| runs_download(stages))
                .then_some(Reason::RunDownload)
        })
        .or_else(|| is_bomb(command, &contents).then_some(Reason::ForkBomb))
        .or_else(|| contents.incomplete.then_some(Reason::TooInvolved))
}

fn destroys(words: &Words) -> Option<Reason> {
    let arguments = words.arguments();
    match words.name()? {
        "rm" => (recursive(arguments, &['r', 'R']) && operands(arguments).any(|word| is_root(word) || is_home(word)))
            .then_some(Reason::RemoveEverything),
        "dd" => arguments
            .iter()
            .any(|word| word.text().strip_prefix("of=").is_some_and(is_device))
            .then_some(Reason::OverwriteDevice),
        "shred" | "wipefs" => (!arguments.is_empty()).then_some(Reason::DestroyData),
        "chmod" => (recursive(arguments, &['R']) && operands(arguments).any(is_root)).then_some(Reason::ChangeAllModes),
        "chown" => {
            (recursive(arguments, &['R']) && operands(arguments).any(is_root)).then_some(Reason::ChangeAllOwners)
        }
        name => (name == "mkfs" || name.starts_with("mkfs.")).then_some(Reason::MakeFilesystem),
    }
}

/// Whether an option asks for everything below: a letter in a cluster, or
/// `--recursive` in any abbreviation that is unambiguous.
fn recursive(arguments: &[Word], letters: &[char]) -> bool {
    let options = arguments.iter().take_while(|word| word.text() != "--");
    options.map(Word::text).any(|text| match text.strip_prefix("--") {
        Some(long) => long.len() > 2 && "recursive".starts_with(long),
        None => text.strip_prefix('-').is_some_and(|cluster| cluster.contains(letters)),
    })
}

fn operands(arguments: &[Word]) -> impl Iterator<Item = &Word> {
    arguments.iter().filter(|word| !word.text().starts_with('-'))
}

/// `/` in any spelling, or everything in it.
fn is_root(word: &Word) -> bool {
    let traits = word.traits;
    if traits.expands || !word.text().starts_with('/') {
        return false;
    }
    let mut level = 0_usize;
    let mut names = word.text().split('/').peekable();
    while let Some(name) = names.next() {
        match name {
            "" | "." => {}
            ".." => level = level.saturating_sub(1),
            "*" if traits.glob && names.peek().is_none() => {}
            _ => level += 1,
        }
    }
    level == 0
}

fn is_home(word: &Word) -> bool {
    let traits = word.traits;
    (traits.tilde && matches!(word.text(), "~" | "~/" | "~/*"))
        || (traits.expands && matches!(word.text(), "$HOME" | "$HOME/" | "${HOME}" | "${HOME}/"))
}

fn is_device(path: &str) -> bool {
    path.starts_with("/dev/") || path.starts_with("//dev/")
}

fn runs_download(stages: &[Vec<Words>]) -> bool {
    let names = |stage: &[Words], list: &[&str]| stage.iter().filter_map(Words::name).any(|name| list.contains(&name));
    let download = stages.iter().position(|stage| names(stage, &DOWNLOADERS));
    download.is_some_and(|at| stages[at + 1..].iter().any(|stage| names(stage, &SHELLS)))
}

/// The function `:` that pipes into itself. Without blanks it is no valid
/// function, and only its text tells what was meant.
fn is_bomb(command: &str, contents: &Contents) -> bool {
    let calls_itself = |(name, pipelines): &(String, Vec<Vec<String>>)| {
        name == ":"
            && pipelines
                .iter()
                .any(|stages| stages.iter().filter(|stage| *stage == name).count() > 1)
    };
    let written = || {
        let text: String = command.chars().filter(|char| !char.is_whitespace()).collect();
        text.contains(":(){:|:&};:")
    };
    contents.functions.iter().any(calls_itself) || contents.guessed && written()
}
