//! The host's own files by their resolved names, as all paths are at the gate and in the sandbox.

use std::path::PathBuf;
use std::sync::Arc;

/// Each file where it is, or would be made, and each link that leads to one: removing the link
/// changes what is read next time as much as a change of the file.
pub(crate) fn resolved(files: &[PathBuf]) -> Arc<[String]> {
    let mut all = Vec::new();
    for file in files {
        let Ok(absolute) = std::path::absolute(file) else {
            continue;
        };
        let Some(Ok(normal)) = absolute.to_str().map(|text| crate::scope::normalise("/", None, text)) else {
            continue;
        };
        for follow in [true, false] {
            if let Ok(found) = crate::scope::resolve(&normal, follow)
                && !all.contains(&found.path)
            {
                all.push(found.path);
            }
        }
    }
    all.into()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn files_that_do_not_exist_yet_have_a_place_too() {
        let base = tempfile::tempdir().unwrap();
        let base = base.path().canonicalize().unwrap();
        std::fs::create_dir_all(base.join("real/deep")).unwrap();
        std::fs::write(base.join("real/config.toml"), "").unwrap();
        symlink(base.join("real"), base.join("folder")).unwrap();
        symlink(base.join("real/config.toml"), base.join("link.toml")).unwrap();
        let name = |path: &str| base.join(path).to_str().unwrap().to_owned();
        let found = resolved(&[
            base.join("folder/deep/none/x.toml"),
            base.join("link.toml"),
            base.join("folder/./deep/../y.toml"),
        ]);
        let expected = [
            name("real/deep/none/x.toml"),
            name("real/config.toml"),
            name("link.toml"),
            name("real/y.toml"),
        ];
        assert_eq!(*found, expected);
    }
}
