//! What turns a command that usually only reads into one that does more.

use super::syntax::Word;

/// Predicates of `find` that act; the first [`RUNNING`] run a command.
pub(super) const ACTIONS: [&str; 9] = [
    "-exec", "-execdir", "-ok", "-okdir", "-delete", "-fls", "-fprint", "-fprint0", "-fprintf",
];

/// How many of [`ACTIONS`] run a command.
pub(super) const RUNNING: usize = 4;

/// Commands that run whatever they are given, as a command or as a program text.
#[rustfmt::skip]
const WRAPPERS: [&str; 71] = [
    "env", "command", "exec", "eval", "source", ".", "sudo", "doas", "su", "xargs", "nohup", "nice", "timeout",
    "stdbuf", "time", "watch", "sh", "bash", "dash", "zsh", "ash", "ksh", "python", "perl", "ruby", "node", "awk",
    "sed", "ssh", "parallel",
    "builtin", "trap", "alias", "enable", "coproc", "setsid", "ionice", "chrt", "taskset", "unbuffer", "pkexec",
    "runuser", "chroot", "unshare", "nsenter", "flock", "strace", "ltrace", "gdb", "script", "expect", "busybox",
    "toybox", "rbash", "mksh", "fish", "csh", "tcsh", "pwsh", "pypy", "php", "lua", "deno", "bun", "npx", "uvx",
    "gawk", "mawk", "nawk", "gsed", "osascript",
];

/// Finds the first argument that does more than read.
type Check = for<'a> fn(&'a [Word]) -> Option<&'a Word>;

/// The options of a command that remove its automatic approval.
struct Profile {
    verb: &'static str,
    /// Whole words, or words up to a `=`.
    words: &'static [&'static str],
    /// Short options, also in a cluster and with an attached value.
    letters: &'static str,
    /// Long options, with `=value` and in every abbreviation.
    long: &'static [&'static str],
    /// What a table of options cannot express.
    check: Option<Check>,
}

const NOTHING: Profile = Profile {
    verb: "",
    words: &[],
    letters: "",
    long: &[],
    check: None,
};

const PROFILES: [Profile; 13] = [
    Profile {
        verb: "find",
        words: &[
            "-exec",
            "-execdir",
            "-ok",
            "-okdir",
            "-delete",
            "-fls",
            "-fprint",
            "-fprint0",
            "-fprintf",
            "-files0-from",
        ],
        ..NOTHING
    },
    Profile {
        verb: "fd",
        letters: "xX",
        long: &["--exec", "--exec-batch"],
        ..NOTHING
    },
    Profile {
        verb: "fdfind",
        letters: "xX",
        long: &["--exec", "--exec-batch"],
        ..NOTHING
    },
    Profile {
        verb: "sort",
        letters: "oT",
        long: &["--output", "--compress-program", "--temporary-directory"],
        ..NOTHING
    },
    // With -R, tree writes a file into every directory.
    Profile {
        verb: "tree",
        letters: "oR",
        long: &["--output"],
        ..NOTHING
    },
    Profile {
        verb: "uniq",
        check: Some(second_operand),
        ..NOTHING
    },
    Profile {
        verb: "rg",
        letters: "z",
        long: &["--pre", "--hostname-bin", "--search-zip"],
        ..NOTHING
    },
    Profile {
        verb: "file",
        letters: "Cm",
        long: &["--compile", "--magic-file"],
        ..NOTHING
    },
    Profile {
        verb: "date",
        check: Some(sets_date),
        ..NOTHING
    },
    Profile {
        verb: "hostname",
        check: Some(|arguments| arguments.iter().find(|word| !is_cluster(word.text(), "fiIsdaAy"))),
        ..NOTHING
    },
    Profile {
        verb: "printenv",
        check: Some(|arguments| arguments.iter().find(|word| word.text() != "-0")),
        ..NOTHING
    },
    Profile {
        verb: "go",
        words: &[
            "-w",
            "--w",
            "-u",
            "--u",
            "-vettool",
            "--vettool",
            "-toolexec",
            "--toolexec",
            "-exec",
            "--exec",
            "-overlay",
            "--overlay",
        ],
        ..NOTHING
    },
    Profile {
        verb: "gofmt",
        words: &["-w", "--w", "-cpuprofile", "--cpuprofile"],
        ..NOTHING
    },
];

const GIT: Profile = Profile {
    verb: "git",
    words: &["-c", "-C"],
    long: &[
        "--exec-path",
        "--output",
        "--ext-diff",
        "--textconv",
        "--upload-pack",
        "--receive-pack",
        "--config-env",
        "--git-dir",
        "--open-files-in-pager",
    ],
    check: Some(subcommand),
    ..NOTHING
};

/// Applied to `git branch` and `git tag`.
const GIT_REFERENCES: Profile = Profile {
    verb: "git",
    letters: "dDmMcCfu",
    long: &[
        "--delete",
        "--move",
        "--copy",
        "--force",
        "--edit-description",
        "--set-upstream-to",
        "--unset-upstream",
    ],
    ..NOTHING
};

/// Whether this command runs whatever it is given, under any version suffix.
pub(super) fn is_wrapper(name: &str) -> bool {
    WRAPPERS.contains(&name) || WRAPPERS.contains(&unversioned(name))
}

/// A name without the version that often ends it: `python` for `python3.11`.
pub(super) fn unversioned(name: &str) -> &str {
    let short = name.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.' || char == '-');
    if short.is_empty() { name } else { short }
}

/// Whether words that the shell expands are a risk for this command.
pub(super) fn is_profiled(name: &str) -> bool {
    profile(name).is_some()
}

/// The first argument that removes the automatic approval of this command.
pub(super) fn effect<'a>(name: &str, arguments: &'a [Word]) -> Option<&'a Word> {
    profile(name).and_then(|profile| profile.hit(arguments))
}

fn profile(name: &str) -> Option<&'static Profile> {
    const ALL: &[Profile] = &PROFILES;
    if name == GIT.verb {
        return Some(&GIT);
    }
    ALL.iter().find(|profile| profile.verb == name)
}

impl Profile {
    fn hit<'a>(&self, arguments: &'a [Word]) -> Option<&'a Word> {
        arguments
            .iter()
            .find(|word| self.option(word.text()))
            .or_else(|| self.check.and_then(|check| check(arguments)))
    }

    fn option(&self, text: &str) -> bool {
        let name = text.split('=').next().unwrap_or(text);
        if self.words.contains(&name) {
            return true;
        }
        match name.strip_prefix("--") {
            Some(long) => !long.is_empty() && self.long.iter().any(|option| option.starts_with(name)),
            None => text
                .strip_prefix('-')
                .is_some_and(|cluster| cluster.contains(|char| self.letters.contains(char))),
        }
    }
}

fn is_cluster(text: &str, letters: &str) -> bool {
    text.strip_prefix('-')
        .is_some_and(|cluster| !cluster.is_empty() && cluster.chars().all(|char| letters.contains(char)))
}

/// The second operand of `uniq` is the file it writes.
fn second_operand(arguments: &[Word]) -> Option<&Word> {
    let mut operands = 0;
    let mut words = arguments.iter();
    let mut options = true;
    while let Some(word) = words.next() {
        let text = word.text();
        if word.traits.glob || word.traits.braces {
            return Some(word);
        }
        if options && text == "--" {
            options = false;
        } else if options && text.len() > 1 && text.starts_with('-') {
            if !text.starts_with("--") && text.ends_with(['f', 's', 'w']) {
                words.next();
            }
        } else {
            operands += 1;
            if operands > 1 {
                return Some(word);
            }
        }
    }
    None
}

/// Anything but a format, `-u` and `-d` with its value may set the clock.
fn sets_date(arguments: &[Word]) -> Option<&Word> {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.text();
        if word.traits.glob || word.traits.braces {
            return Some(word);
        }
        match text {
            "-u" => {}
            "-d" => {
                if let Some(value) = words.next()
                    && value.literal().is_none()
                {
                    return Some(value);
                }
            }
            _ if text.starts_with('+') || text.starts_with("-d") => {}
            _ => return Some(word),
        }
    }
    None
}

/// What changes references, remotes and logs. The name of the subcommand is
/// looked for in every argument, because options with values may precede it.
fn subcommand(arguments: &[Word]) -> Option<&Word> {
    let names = |list: &[&str]| arguments.iter().any(|word| list.contains(&word.text()));
    let find = |list: &[&str]| arguments.iter().find(|word| list.contains(&word.text()));
    let mut hit = None;
    if names(&["branch", "tag"]) {
        hit = GIT_REFERENCES.hit(arguments);
    }
    if names(&["remote"]) {
        hit = hit.or_else(|| {
            find(&[
                "add",
                "remove",
                "rm",
                "rename",
                "set-url",
                "set-head",
                "set-branches",
                "prune",
                "update",
            ])
        });
    }
    if names(&["reflog"]) {
        hit = hit.or_else(|| find(&["expire", "delete"]));
    }
    hit
}
