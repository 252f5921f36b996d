//! What is called safe, split into words by bash and dash themselves.

use std::path::Path;
use std::process::{Command, Stdio};

use toolgate::gate::shell::{is_safe, single_command};

/// Takes its arguments apart instead of running them. Nothing is expanded from files.
const WORDS: &str = "words() { for word do printf '%s\\0' \"$word\"; done; }\nset -f\n";

/// A shell that starts no program: its own commands are all that it could run, in an empty folder.
fn split(shell: &str, options: &[&str], text: &str, folder: &Path) -> Vec<String> {
    let script = format!("{WORDS}words {}", from_its_name(text));
    let run = Command::new(shell)
        .args(options)
        .args(["-c", &script])
        .env_clear()
        .envs([("PATH", "/nonexistent"), ("HOME", "/nonexistent")])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && told.is_empty(), "{shell} on {text:?}: {told}");
    let words = String::from_utf8_lossy(&run.stdout);
    words.split_terminator('\0').map(str::to_owned).collect()
}

/// Without the empty lines and comments before the command, so that another word can stand before it.
fn from_its_name(mut text: &str) -> &str {
    loop {
        let start = text.trim_start_matches([' ', '\t', '\n']);
        let start = start.strip_prefix("\\\n").unwrap_or(start);
        let start = match start.strip_prefix('#') {
            Some(comment) => comment.split_once('\n').map_or("", |(_, rest)| rest),
            None => start,
        };
        if start == text {
            return text;
        }
        text = start;
    }
}

#[test]
fn words_are_those_of_real_shells() {
    let folder = tempfile::tempdir().unwrap();
    let shells: [(&str, &[&str]); 2] = [
        ("/bin/bash", &["--norc", "--noprofile", "+B", "-r"]),
        ("/bin/dash", &[]),
    ];
    let mut compared = 0;
    for (file, input) in super::corpus("shell") {
        let text = String::from_utf8_lossy(&input);
        if is_safe(&text).is_err() {
            continue;
        }
        let single = single_command(&text).unwrap();
        let expected: Vec<&str> = single.words().iter().map(|word| word.text()).collect();
        for (shell, options) in shells.iter().filter(|(shell, _)| Path::new(shell).exists()) {
            let found = split(shell, options, &text, folder.path());
            assert_eq!(found.len(), expected.len(), "{shell} on {text:?}: {found:?}");
            // Homes are not looked up here.
            for (found, expected) in found.iter().zip(&expected).filter(|(_, word)| !word.contains('~')) {
                assert_eq!(found, expected, "{shell} on {text:?}, {}", file.display());
            }
            compared += 1;
        }
    }
    assert!(compared > 10, "only {compared} commands were compared");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}
