//! Named sets of allow rules for commands that only look.

/// The bundle that is on unless the configuration turns the bundles off.
pub const DEFAULT_BUNDLE: &str = "read_only";

/// The names that [`bundle`] knows.
pub const BUNDLES: [&str; 3] = [DEFAULT_BUNDLE, "dev_tools", "core_agent_tools"];

/// The allow rules of a bundle, or nothing for an unknown name.
pub fn bundle(name: &str) -> Option<&'static [&'static str]> {
    match name {
        DEFAULT_BUNDLE => Some(&READ_ONLY),
        "dev_tools" => Some(&DEV_TOOLS),
        "core_agent_tools" => Some(&FILE_TOOLS),
        _ => None,
    }
}

/// Commands that print. `awk` and `sed` are absent: what they do is in their
/// program text, which no option table can judge.
#[rustfmt::skip]
const READ_ONLY: [&str; 50] = [
    "bash:pwd", "bash:whoami", "bash:id", "bash:groups", "bash:hostname", "bash:date", "bash:uptime",
    "bash:env", "bash:true", "bash:false",
    "bash:uname", "bash:uname *", "bash:printenv", "bash:printenv *", "bash:ls", "bash:ls *",
    "bash:tree", "bash:tree *", "bash:head", "bash:head *", "bash:tail", "bash:tail *",
    "bash:wc", "bash:wc *", "bash:echo", "bash:echo *", "bash:df", "bash:df *", "bash:du", "bash:du *",
    "bash:free", "bash:free *", "bash:ps", "bash:ps *",
    "bash:cat *", "bash:file *", "bash:printf *", "bash:grep *", "bash:egrep *", "bash:fgrep *", "bash:rg *",
    "bash:sort *", "bash:uniq *", "bash:cut *", "bash:tr *", "bash:which *", "bash:type *", "bash:whereis *",
    "bash:find *", "bash:command -v *",
];

/// Questions to the version control and the Go tools.
#[rustfmt::skip]
const DEV_TOOLS: [&str; 23] = [
    "bash:git status*", "bash:git log*", "bash:git diff*", "bash:git show*", "bash:git branch*", "bash:git tag*",
    "bash:git remote*", "bash:git rev-parse*", "bash:git rev-list*", "bash:git ls-files*", "bash:git ls-remote*",
    "bash:git reflog*", "bash:git config --get *", "bash:git config --list*", "bash:git blame *",
    "bash:git stash list*",
    "bash:go version", "bash:go env*", "bash:go list*", "bash:go doc*", "bash:go vet*",
    "bash:gofmt -l*", "bash:gofmt -d*",
];

/// The file tools that only read.
const FILE_TOOLS: [&str; 3] = ["read_file:**", "list_dir:**", "grep:**"];
