//! Paths as text: `~`, `.`, `..` and repeated separators, before any look at the disk.

/// Longest path that Linux takes (`PATH_MAX` less the terminator).
const MAX_PATH: usize = 4095;
/// Longest single name that the common file systems take.
const MAX_NAME: usize = 255;

/// A path that cannot name anything.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// The path is empty.
    #[error("path is required")]
    Empty,
    /// The path holds a NUL byte.
    #[error("the path {0:?} contains a NUL byte")]
    Nul(String),
    /// The path, or one name in it, is longer than the system allows.
    #[error("the path is too long: at most {MAX_PATH} bytes, and {MAX_NAME} for each name")]
    TooLong,
    /// `~` was used and no home directory is known.
    #[error("the path {0:?} starts with ~ but no home directory is known; use an absolute path")]
    NoHome(String),
}

/// Makes `given` absolute against `base` and removes `.`, `..` and repeated
/// separators lexically, so `link/..` is the directory of the link. Only `~`
/// and `~/…` expand; `~name` is an ordinary name. The result has no trailing
/// separator, except for `/` itself.
///
/// # Errors
/// See [`PathError`].
pub fn normalise(base: &str, home: Option<&str>, given: &str) -> Result<String, PathError> {
    if given.is_empty() {
        return Err(PathError::Empty);
    }
    if given.contains('\0') {
        return Err(PathError::Nul(given.to_owned()));
    }
    let (start, rest) = match given.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            (home.ok_or_else(|| PathError::NoHome(given.to_owned()))?, rest)
        }
        _ if given.starts_with('/') => ("", given),
        _ => (base, given),
    };
    let mut parts: Vec<&str> = start.split('/').filter(|part| !part.is_empty()).collect();
    for part in rest.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name if name.len() > MAX_NAME => return Err(PathError::TooLong),
            name => parts.push(name),
        }
    }
    let length: usize = parts.iter().map(|part| part.len() + 1).sum();
    if length > MAX_PATH {
        return Err(PathError::TooLong);
    }
    let mut path = String::with_capacity(length.max(1));
    for part in parts {
        path.push('/');
        path.push_str(part);
    }
    if path.is_empty() {
        path.push('/');
    }
    Ok(path)
}

/// `path` relative to `root`, both absolute and normalised: `""` for the root
/// itself, `None` when it lies elsewhere. `/w/proj-x` is not below `/w/proj`.
pub(super) fn below<'a>(root: &str, path: &'a str) -> Option<&'a str> {
    if root == "/" {
        return path.strip_prefix('/');
    }
    let rest = path.strip_prefix(root)?;
    if rest.is_empty() {
        Some(rest)
    } else {
        rest.strip_prefix('/')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalises() {
        let cases = [
            ("a//b/./c/../d/", "/w/a/b/d"),
            ("../../..", "/"),
            ("~", "/h"),
            ("~/x", "/h/x"),
            ("~bob/x", "/w/~bob/x"),
            ("/x/..", "/"),
            ("..foo/x", "/w/..foo/x"),
        ];
        for (given, expected) in cases {
            assert_eq!(normalise("/w", Some("/h"), given).as_deref(), Ok(expected));
        }
        assert_eq!(normalise("/w", None, ""), Err(PathError::Empty));
        assert!(matches!(normalise("/w", None, "a\0"), Err(PathError::Nul(_))));
        assert!(matches!(normalise("/w", None, "~/a"), Err(PathError::NoHome(_))));
        assert_eq!(normalise("/w", None, &"a".repeat(256)), Err(PathError::TooLong));
    }

    #[test]
    fn below_compares_whole_names() {
        assert_eq!(below("/w/p", "/w/p"), Some(""));
        assert_eq!(below("/w/p", "/w/p/a"), Some("a"));
        assert_eq!(below("/w/p", "/w/p-x"), None);
        assert_eq!(below("/", "/a"), Some("a"));
    }
}
