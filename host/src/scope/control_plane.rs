//! Files whose content grants rights: changing one always takes a fresh approval.

/// Whether a change to this resolved path needs a fresh approval in every
/// mode. `own` are the files that this host reads its configuration from.
pub fn is_control_plane(path: &str, own: &[String]) -> bool {
    if own.iter().any(|file| file == path) {
        return true;
    }
    let mut names = path.rsplit('/');
    let (Some(name), Some(parent)) = (names.next(), names.next()) else {
        return false;
    };
    let grand = names.next().unwrap_or("");
    match parent {
        ".agents" => matches!(
            name.to_ascii_lowercase().as_str(),
            "config.json" | "mcp.json" | "toolgate.toml" | "env.yaml" | "env.json" | "agent-card.json" | "pricing.json"
        ),
        ".git" => name == "config",
        ".ssh" => true,
        "hooks" => grand == ".git",
        _ => matches!(
            name,
            ".bashrc" | ".bash_profile" | ".bash_login" | ".profile" | ".zshrc" | ".zshenv" | ".zprofile" | ".envrc"
        ),
    }
}

/// Whether moving this directory, or another one to its place, would give or
/// take control-plane files their meaning.
pub fn holds_control_plane(directory: &str, own: &[String]) -> bool {
    let name = directory.rsplit('/').next().unwrap_or(directory);
    matches!(name, ".agents" | ".git" | ".ssh" | "hooks")
        || own.iter().any(|file| super::lexical::below(directory, file).is_some())
}

#[cfg(test)]
mod tests {
    use super::is_control_plane;

    #[test]
    fn knows_the_files_that_grant_rights() {
        for path in [
            "/p/.agents/config.json",
            "/.agents/mcp.json",
            "/p/.agents/.agents/Config.json",
            "/p/.git/hooks/pre-commit",
            "/p/.git/config",
            "/h/.ssh/id",
            "/h/.bashrc",
            "/etc/own.toml",
        ] {
            assert!(is_control_plane(path, &["/etc/own.toml".to_owned()]), "{path}");
        }
        for path in ["/p/.agents/AGENTS.md", "/p/config.json", "/p/hooks/pre-commit", "/"] {
            assert!(!is_control_plane(path, &[]), "{path}");
        }
    }
}
