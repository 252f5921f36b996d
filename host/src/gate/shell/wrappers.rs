//! Commands that run other commands, and where in their arguments those stand.

use super::commands::Words;
use super::profiles::{ACTIONS, RUNNING, unversioned};
use super::syntax::{Word, base_name};

/// What a wrapper runs.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Inner {
    /// The words from the first to before the second index.
    Command(usize, usize),
    /// A text that a shell parses.
    Script(String),
}

/// How the arguments of a wrapper are laid out.
struct Layout {
    name: &'static str,
    /// Short options with a value, attached or as the next word.
    valued: &'static str,
    /// Long options with a value as the next word.
    long: &'static [&'static str],
    /// Operands before the command.
    operands: usize,
}

const fn layout(name: &'static str, valued: &'static str, long: &'static [&'static str], operands: usize) -> Layout {
    Layout {
        name,
        valued,
        long,
        operands,
    }
}

const LAYOUTS: [Layout; 30] = [
    layout("env", "uCS", &["--unset", "--chdir", "--split-string"], 0),
    layout("command", "", &[], 0),
    layout("builtin", "", &[], 0),
    layout("exec", "a", &[], 0),
    layout("nohup", "", &[], 0),
    layout("setsid", "", &[], 0),
    layout("nice", "n", &["--adjustment"], 0),
    layout("ionice", "cnpPu", &["--class", "--classdata"], 0),
    layout("chrt", "TPD", &[], 1),
    layout("taskset", "", &[], 1),
    layout("timeout", "ks", &["--kill-after", "--signal"], 1),
    layout("stdbuf", "ioe", &["--input", "--output", "--error"], 0),
    layout("time", "of", &["--output", "--format"], 0),
    layout("coproc", "", &[], 0),
    layout("unbuffer", "", &[], 0),
    layout(
        "sudo",
        "ughpCrtTUDRa",
        &[
            "--user",
            "--group",
            "--host",
            "--prompt",
            "--chdir",
            "--chroot",
            "--role",
            "--type",
            "--close-from",
            "--other-user",
            "--command-timeout",
        ],
        0,
    ),
    layout("doas", "uC", &[], 0),
    layout("pkexec", "", &["--user"], 0),
    layout("runuser", "ugG", &["--user", "--group"], 0),
    layout("chroot", "", &[], 1),
    layout("unshare", "SG", &[], 0),
    layout("nsenter", "tSG", &["--target"], 0),
    layout("flock", "wE", &["--timeout", "--wait", "--conflict-exit-code"], 1),
    layout(
        "xargs",
        "IinPLlsdEea",
        &[
            "--replace",
            "--max-args",
            "--max-procs",
            "--max-lines",
            "--max-chars",
            "--delimiter",
            "--eof",
            "--arg-file",
        ],
        0,
    ),
    layout("parallel", "jIaSN", &["--jobs", "--arg-file", "--sshlogin"], 0),
    layout("strace", "eoapsuEPIOSX", &["--output", "--trace"], 0),
    layout("ltrace", "eoapsunlF", &["--output"], 0),
    layout("busybox", "", &[], 0),
    layout("toybox", "", &[], 0),
    layout("catchsegv", "", &[], 0),
];

/// Options of `xargs` whose value is optional and therefore only ever attached.
const ATTACHED: &str = "ile";

/// What a command runs, if it is a wrapper.
pub(super) fn inner(words: &Words) -> Vec<Inner> {
    let Some(name) = words.name() else {
        return Vec::new();
    };
    let words = words.words();
    match unversioned(name) {
        "find" => actions(words),
        "sh" | "bash" | "dash" | "zsh" | "ash" | "ksh" | "mksh" | "rbash" | "su" => script_option(words),
        "eval" => vec![Inner::Script(joined(after_options(words, "", &[])))],
        "trap" => after_options(words, "", &[])
            .first()
            .map(|word| Inner::Script(word.text.clone()))
            .into_iter()
            .collect(),
        "watch" => vec![Inner::Script(joined(after_options(words, "nq", &["--interval"])))],
        "env" => environment(words),
        name => LAYOUTS
            .iter()
            .find(|layout| layout.name == name)
            .map(|layout| command(words, layout))
            .unwrap_or_default(),
    }
}

fn joined(words: &[Word]) -> String {
    words.iter().map(Word::text).collect::<Vec<_>>().join(" ")
}

/// The operands, from the first word that is neither an option nor the value of one.
fn after_options<'a>(words: &'a [Word], valued: &str, long: &[&str]) -> &'a [Word] {
    words.get(skip_options(words, valued, long)..).unwrap_or_default()
}

fn skip_options(words: &[Word], valued: &str, long: &[&str]) -> usize {
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let text = word.text();
        at += 1;
        if text == "--" {
            break;
        }
        if let Some(option) = text.strip_prefix("--") {
            at += usize::from(!option.contains('=') && long.contains(&text));
        } else if let Some(cluster) = text.strip_prefix('-').filter(|cluster| !cluster.is_empty()) {
            let value = cluster.find(|char| valued.contains(char));
            // The value is the rest of the cluster, or the next word.
            at += usize::from(value.is_some_and(|index| index + 1 == cluster.len()) && !is_attached(words, cluster));
        } else {
            at -= 1;
            break;
        }
    }
    at
}

fn is_attached(words: &[Word], cluster: &str) -> bool {
    words.first().is_some_and(|name| base_name(name.text()) == "xargs")
        && cluster.chars().next_back().is_some_and(|last| ATTACHED.contains(last))
}

fn command(words: &[Word], layout: &Layout) -> Vec<Inner> {
    let mut at = skip_options(words, layout.valued, layout.long) + layout.operands;
    // `env NAME=value command`, where env and sudo take any name.
    while words.get(at).is_some_and(|word| word.text().contains('=')) {
        at += 1;
    }
    if at >= words.len() {
        return Vec::new();
    }
    let mut found = vec![Inner::Command(at, words.len())];
    // `flock FILE -c script`, and what `parallel` is given as one word.
    let text = words[at].text();
    if text == "-c" {
        found.extend(words.get(at + 1).map(|word| Inner::Script(word.text.clone())));
    } else if layout.name == "parallel" && text.contains(' ') {
        found.push(Inner::Script(text.to_owned()));
    }
    found
}

/// `env -S 'command line'` is split into words by env itself.
fn environment(words: &[Word]) -> Vec<Inner> {
    let split = words.iter().enumerate().find_map(|(at, word)| {
        let text = word.text();
        match text {
            "-S" | "--split-string" => words.get(at + 1).map(|next| next.text.clone()),
            _ => ["--split-string=", "-S", "-vS", "-iS"]
                .iter()
                .find_map(|option| text.strip_prefix(option))
                .map(str::to_owned),
        }
    });
    let mut found = LAYOUTS.first().map(|env| command(words, env)).unwrap_or_default();
    found.extend(split.map(Inner::Script));
    found
}

/// The script of `sh -c script`, and the command of `su -c`.
fn script_option(words: &[Word]) -> Vec<Inner> {
    let mut at = 1;
    let mut script = false;
    while let Some(word) = words.get(at) {
        let text = word.text();
        let Some(cluster) = text.strip_prefix(['-', '+']) else {
            break;
        };
        at += 1;
        if cluster.starts_with('-') || cluster.is_empty() {
            script |= text == "--command";
            if let Some(attached) = text.strip_prefix("--command=") {
                return vec![Inner::Script(attached.to_owned())];
            }
            at += usize::from(matches!(text, "--rcfile" | "--init-file"));
            continue;
        }
        script |= text.starts_with('-') && cluster.contains('c');
        at += usize::from(cluster.ends_with(['o', 'O']));
    }
    // `su user -c script` has its options after the operand too.
    let late = words
        .iter()
        .position(|word| word.text() == "-c")
        .map(|option| option + 1);
    let index = if script { Some(at) } else { late };
    let mut found: Vec<Inner> = [index, late]
        .into_iter()
        .flatten()
        .filter_map(|index| words.get(index))
        .map(|word| Inner::Script(word.text.clone()))
        .collect();
    found.dedup();
    found
}

/// What `find -exec` and its relatives run, each up to `;` or `+`.
fn actions(words: &[Word]) -> Vec<Inner> {
    let mut found = Vec::new();
    let mut at = 1;
    while let Some(word) = words.get(at) {
        at += 1;
        if ACTIONS[..RUNNING].contains(&word.text()) {
            let length = words[at..].iter().position(|word| matches!(word.text(), ";" | "+"));
            let end = length.map_or(words.len(), |length| at + length);
            if end > at {
                found.push(Inner::Command(at, end));
            }
            at = end;
        }
    }
    found
}

/// Whether a word has the form `NAME=value`.
pub(super) fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && !name.starts_with(|char: char| char.is_ascii_digit())
            && name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_')
    })
}
