//! Which names belong to which class.

use super::class::MandatoryClass::{self, Ci, EditorSettings, EnvFiles, GitHooks, Keys, ShellStartFiles};

/// A path at any depth. Everything below it is meant as well, unless `alone`.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) class: MandatoryClass,
    /// `*` stands for one name, `**` for any number of them.
    pub(super) names: &'static [&'static str],
    pub(super) alone: bool,
}

const fn rule(class: MandatoryClass, names: &'static [&'static str]) -> Rule {
    Rule {
        class,
        names,
        alone: false,
    }
}

/// Rules that begin with a literal name, which [`begins`] knows.
pub(super) const RULES: &[Rule] = &[
    // A file of this name points git to a directory of somebody's choice, and so to its hooks.
    Rule {
        class: GitHooks,
        names: &[".git"],
        alone: true,
    },
    rule(GitHooks, &[".git", "hooks"]),
    rule(GitHooks, &[".git", "config"]),
    rule(GitHooks, &[".git", "config.worktree"]),
    rule(GitHooks, &[".git", "commondir"]),
    rule(GitHooks, &[".git", "modules", "**", "hooks"]),
    rule(GitHooks, &[".git", "modules", "**", "config"]),
    rule(GitHooks, &[".git", "modules", "**", "config.worktree"]),
    rule(GitHooks, &[".git", "modules", "**", "commondir"]),
    rule(GitHooks, &[".git", "worktrees", "*", "hooks"]),
    rule(GitHooks, &[".git", "worktrees", "*", "config"]),
    rule(GitHooks, &[".git", "worktrees", "*", "config.worktree"]),
    rule(GitHooks, &[".git", "worktrees", "*", "commondir"]),
    rule(ShellStartFiles, &[".bashrc"]),
    rule(ShellStartFiles, &[".bash_profile"]),
    rule(ShellStartFiles, &[".bash_login"]),
    rule(ShellStartFiles, &[".bash_logout"]),
    rule(ShellStartFiles, &[".bash_aliases"]),
    rule(ShellStartFiles, &[".profile"]),
    rule(ShellStartFiles, &[".zshrc"]),
    rule(ShellStartFiles, &[".zshenv"]),
    rule(ShellStartFiles, &[".zprofile"]),
    rule(ShellStartFiles, &[".zlogin"]),
    rule(ShellStartFiles, &[".zlogout"]),
    rule(ShellStartFiles, &[".kshrc"]),
    rule(ShellStartFiles, &[".cshrc"]),
    rule(ShellStartFiles, &[".tcshrc"]),
    rule(ShellStartFiles, &[".envrc"]),
    rule(ShellStartFiles, &[".inputrc"]),
    rule(ShellStartFiles, &[".config", "fish", "config.fish"]),
    rule(ShellStartFiles, &[".config", "fish", "conf.d"]),
    rule(ShellStartFiles, &[".config", "fish", "functions"]),
    rule(EditorSettings, &[".vscode"]),
    rule(EditorSettings, &[".idea"]),
    rule(EditorSettings, &[".mcp.json"]),
    rule(EditorSettings, &[".cursor"]),
    rule(EditorSettings, &[".claude"]),
    rule(Ci, &[".github", "workflows"]),
    rule(Ci, &[".github", "actions"]),
    rule(Ci, &[".gitlab-ci.yml"]),
    rule(Ci, &[".circleci"]),
    rule(Ci, &[".travis.yml"]),
    rule(Ci, &[".drone.yml"]),
    rule(Ci, &[".buildkite"]),
    rule(Ci, &[".woodpecker"]),
    rule(Ci, &[".woodpecker.yml"]),
    rule(Ci, &["azure-pipelines.yml"]),
    rule(Ci, &["bitbucket-pipelines.yml"]),
    rule(Ci, &["Jenkinsfile"]),
    rule(EnvFiles, &[".env"]),
    rule(Keys, &[".ssh"]),
    rule(Keys, &[".gnupg"]),
    rule(Keys, &["id_rsa"]),
    rule(Keys, &["id_dsa"]),
    rule(Keys, &["id_ecdsa"]),
    rule(Keys, &["id_ecdsa_sk"]),
    rule(Keys, &["id_ed25519"]),
    rule(Keys, &["id_ed25519_sk"]),
    rule(Keys, &[".netrc"]),
    rule(Keys, &[".pgpass"]),
    rule(Keys, &[".pypirc"]),
    rule(Keys, &[".vault-token"]),
    rule(Keys, &[".git-credentials"]),
    rule(Keys, &[".config", "git", "credentials"]),
    rule(Keys, &[".config", "gh", "hosts.yml"]),
    rule(Keys, &[".aws", "credentials"]),
    rule(Keys, &[".docker", "config.json"]),
    rule(Keys, &[".kube", "config"]),
    rule(Keys, &[".cargo", "credentials"]),
    rule(Keys, &[".cargo", "credentials.toml"]),
];

/// `.env.*` is an env file, but for these: they are made to be shared.
const SHARED_ENV: [&str; 4] = [".env.example", ".env.sample", ".env.template", ".env.dist"];

/// How names without a dot in front begin that a rule speaks of, in small letters.
const BEGINNINGS: [&[u8; 3]; 4] = [b"id_", b"jen", b"azu", b"bit"];

/// Whether a rule, or [`by_shape`] before its end, can speak of a name: most
/// names are out of the question after a look at one letter.
pub(super) fn begins(name: &[u8]) -> bool {
    match name.first() {
        Some(b'.') => true,
        Some(b'i' | b'I' | b'j' | b'J' | b'a' | b'A' | b'b' | b'B') => name
            .first_chunk::<3>()
            .is_some_and(|start| BEGINNINGS.iter().any(|known| start.eq_ignore_ascii_case(*known))),
        _ => false,
    }
}

/// Whether a name ends like a file of keys: the last four bytes, letters in any case.
pub(super) fn ends_like_a_key(name: &[u8], any_case: bool) -> bool {
    let Some(&end) = name.last_chunk::<4>() else {
        return false;
    };
    // Setting this bit makes letters small, and leaves the dot and the digits in question as they are.
    let end = if any_case { end.map(|byte| byte | 0x20) } else { end };
    matches!(&end, b".pem" | b".key" | b".p12" | b".pfx")
}

/// The class of a name that has no fixed spelling.
pub(super) fn by_shape(name: &str, any_case: bool) -> Option<MandatoryClass> {
    if ends_like_a_key(name.as_bytes(), any_case) {
        return Some(Keys);
    }
    let same = |one: &[u8], other: &[u8]| one == other || (any_case && one.eq_ignore_ascii_case(other));
    let is_env = name.len() >= 5 && same(&name.as_bytes()[..5], b".env.");
    // A spelling that only folding makes one of the shared names is one of them: the same file there.
    let shared = SHARED_ENV.iter().any(|shared| same(name.as_bytes(), shared.as_bytes()));
    (is_env && !shared).then_some(EnvFiles)
}

/// The end of a root's path, from the first name on that means something for
/// names below the root. Names that stand for a class alone do not count: a
/// project is worked on where it lies, even below `.claude/worktrees`.
pub(super) fn context(root: &str) -> &str {
    let mut from = 0;
    for name in root.split('/') {
        let means = |rule: &Rule| rule.names.len() > 1 || matches!(rule.names[0], ".ssh" | ".gnupg");
        let begin = |rule: &Rule| means(rule) && rule.names[0].eq_ignore_ascii_case(name);
        if RULES.iter().any(begin) {
            return &root[from..];
        }
        from += name.len() + 1;
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_begins_with_a_letter_that_is_looked_for() {
        for rule in RULES {
            assert!(begins(rule.names[0].as_bytes()), "{:?}", rule.names);
            assert!(!rule.names[0].contains('*'), "{:?}", rule.names);
        }
    }

    #[test]
    fn hidden_names_are_those_that_listings_ask_about() {
        for rule in RULES.iter().filter(|rule| rule.class.hides()) {
            assert!(
                rule.names.len() > 1 || crate::scope::mandatory::may_hide(rule.names[0]),
                "{:?}",
                rule.names
            );
        }
    }

    #[test]
    fn a_root_speaks_of_what_is_below_it() {
        assert_eq!(context("/p/.git"), ".git");
        assert_eq!(context("/p/.git/modules/x"), ".git/modules/x");
        assert_eq!(context("/h/.ssh/keys"), ".ssh/keys");
        assert_eq!(context("/p/.claude/worktrees/x"), "");
        assert_eq!(context("/p/.env/x"), "");
        assert_eq!(context("/"), "");
    }
}
