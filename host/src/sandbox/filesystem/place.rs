//! Guest paths as text: what they name below a root, before any look at the disk.

use super::descriptor::Descriptor;
use crate::sandbox::bindings::wasi::filesystem::types::ErrorCode;

const MAX_PATH: usize = 4095;
const MAX_NAME: usize = 255;
const MAX_NAMES: usize = 256;

/// A normalised path below a root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) root: usize,
    /// Without `.`, `..` and repeated separators; empty for the root.
    pub(super) relative: String,
    /// The path ended in `/`, `/.` or `/..`: it must name a directory.
    pub(super) must_be_directory: bool,
}

/// `..` is taken lexically: `link/..` is the directory that holds the link.
/// That differs from POSIX, and is what makes one check of the text enough.
pub(super) fn place(descriptor: &Descriptor, path: &str) -> Result<Place, ErrorCode> {
    if path.is_empty() {
        return Err(ErrorCode::NoEntry);
    }
    if path.len() > MAX_PATH {
        return Err(ErrorCode::NameTooLong);
    }
    if path.contains('\0') {
        return Err(ErrorCode::Invalid);
    }
    if path.starts_with('/') {
        return Err(ErrorCode::NotPermitted);
    }
    let mut relative = String::with_capacity(descriptor.relative.len() + 1 + path.len());
    relative.push_str(&descriptor.relative);
    let mut names = 0;
    let mut last = "";
    for name in path.split('/') {
        last = name;
        match name {
            "" | "." => {}
            ".." => {
                if relative.is_empty() {
                    return Err(ErrorCode::NotPermitted);
                }
                relative.truncate(relative.rfind('/').unwrap_or(0));
            }
            _ => {
                names += 1;
                if name.len() > MAX_NAME || names > MAX_NAMES {
                    return Err(ErrorCode::NameTooLong);
                }
                if !relative.is_empty() {
                    relative.push('/');
                }
                relative.push_str(name);
            }
        }
    }
    if relative.len() > MAX_PATH {
        return Err(ErrorCode::NameTooLong);
    }
    Ok(Place {
        root: descriptor.root,
        relative,
        must_be_directory: matches!(last, "" | "." | ".."),
    })
}

/// Directory part and last name.
pub(super) fn split(relative: &str) -> Option<(&str, &str)> {
    if relative.is_empty() {
        return None;
    }
    Some(relative.rsplit_once('/').unwrap_or(("", relative)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(base: &str, path: &str) -> Result<(String, bool), ErrorCode> {
        let descriptor = Descriptor::preopen(0, base.to_owned());
        place(&descriptor, path).map(|place| (place.relative, place.must_be_directory))
    }

    #[test]
    fn normalises_and_never_leaves_the_root() {
        assert_eq!(at("", "a//b/./c/../d"), Ok(("a/b/d".to_owned(), false)));
        assert_eq!(at("x/y", "../z/"), Ok(("x/z".to_owned(), true)));
        assert_eq!(at("x", ".."), Ok((String::new(), true)));
        assert_eq!(at("x", "../.."), Err(ErrorCode::NotPermitted));
        assert_eq!(at("", "a/../../b"), Err(ErrorCode::NotPermitted));
        assert_eq!(at("", "/etc"), Err(ErrorCode::NotPermitted));
        assert_eq!(at("", "a\0b"), Err(ErrorCode::Invalid));
        assert_eq!(at("", ""), Err(ErrorCode::NoEntry));
        assert_eq!(at("", &"a/".repeat(300)), Err(ErrorCode::NameTooLong));
        assert_eq!(at("", &"a".repeat(256)), Err(ErrorCode::NameTooLong));
        assert_eq!(at("", "..."), Ok(("...".to_owned(), false)));
    }
}
