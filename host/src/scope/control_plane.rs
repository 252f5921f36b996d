//! Files whose content grants rights: changing one always takes a fresh approval.

use super::fold::{Case, below, folded};
use super::mandatory::{MandatoryClass, find_at};
use super::path_scope::PathScope;

/// Files in `.agents` that decide what an agent may do.
const AGENTS: [&str; 7] = [
    "config.json",
    "mcp.json",
    "toolgate.toml",
    "env.yaml",
    "env.json",
    "agent-card.json",
    "pricing.json",
];

/// Whether a change to this resolved path needs a fresh approval in every
/// mode, by its name alone. `own` are the files that this host reads its
/// configuration from. [`PathScope::is_control_plane`] knows more spellings.
pub fn is_control_plane(path: &str, own: &[String]) -> bool {
    names(path, own, Case::Exact)
}

fn names(path: &str, own: &[String], case: Case) -> bool {
    let same = |one: &str, other: &str| one == other || (case == Case::Folded && one.eq_ignore_ascii_case(other));
    if own
        .iter()
        .any(|file| file == path || (case == Case::Folded && same(&folded(file), path)))
    {
        return true;
    }
    let mut names = path.rsplit('/');
    if let (Some(name), Some(parent)) = (names.next(), names.next())
        && same(parent, ".agents")
        && AGENTS.iter().any(|file| file.eq_ignore_ascii_case(name))
    {
        return true;
    }
    // What the mandatory denies keep, as long as nobody lifts them, stays guarded when somebody does.
    find_at(path, case, |class| {
        matches!(class, MandatoryClass::GitHooks | MandatoryClass::ShellStartFiles)
    }) || path.split('/').any(|name| same(name, ".ssh"))
}

/// Whether moving this directory, or another one to its place, would give or
/// take control-plane files their meaning.
fn holds(directory: &str, own: &[String], case: Case) -> bool {
    let name = directory.rsplit('/').next().unwrap_or(directory);
    [".agents", ".git", ".ssh", "hooks"]
        .iter()
        .any(|holder| name == *holder || (case == Case::Folded && name.eq_ignore_ascii_case(holder)))
        || own.iter().any(|file| below(directory, file, case))
}

impl PathScope {
    /// Whether a change to this resolved path needs a fresh approval in every
    /// mode: by its name in any spelling that the disk takes for it, or
    /// because it is one of the host's own files, `own`, under another name.
    pub fn is_control_plane(&self, path: &str, own: &[String]) -> bool {
        self.spelled_anywhere(path, |path, case| names(path, own, case).then_some(()))
            .is_some()
            || is_same_file(path, own)
    }

    pub(super) fn holds_control_plane(&self, directory: &str, own: &[String]) -> bool {
        self.spelled_anywhere(directory, |path, case| holds(path, own, case).then_some(()))
            .is_some()
    }
}

/// Whether the path leads to one of these files: another spelling, another
/// mount, another name of it.
fn is_same_file(path: &str, own: &[String]) -> bool {
    let number = |path: &str| rustix::fs::stat(path).map(|stat| (stat.st_dev, stat.st_ino));
    !own.is_empty() && number(path).is_ok_and(|this| own.iter().any(|file| number(file) == Ok(this)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_files_that_grant_rights() {
        for path in [
            "/p/.agents/config.json",
            "/.agents/mcp.json",
            "/p/.agents/.agents/Config.json",
            "/p/.git/hooks/pre-commit",
            "/p/.git/config",
            "/p/.git/modules/x/hooks/post-checkout",
            "/h/.ssh/id",
            "/h/.bashrc",
            "/h/.config/fish/config.fish",
            "/etc/own.toml",
        ] {
            assert!(is_control_plane(path, &["/etc/own.toml".to_owned()]), "{path}");
        }
        for path in [
            "/p/.agents/AGENTS.md",
            "/p/config.json",
            "/p/hooks/pre-commit",
            "/p/.vscode/x",
            "/",
        ] {
            assert!(!is_control_plane(path, &[]), "{path}");
        }
        assert!(!is_control_plane("/p/.Agents/config.json", &[]));
        assert!(names("/p/.Agents/config.json", &[], Case::Folded));
        assert!(names("/ETC/own.toml", &["/etc/own.toml".to_owned()], Case::Folded));
    }

    #[test]
    fn another_name_of_an_own_file_is_that_file() {
        let base = tempfile::tempdir().unwrap();
        let [own, other] = ["own.toml", "x"].map(|name| base.path().join(name).display().to_string());
        std::fs::write(&own, "").unwrap();
        std::fs::hard_link(&own, &other).unwrap();
        assert!(is_same_file(&other, std::slice::from_ref(&own)));
        assert!(!is_same_file(&format!("{other}y"), &[own]) && !is_same_file(&other, &[]));
    }
}
