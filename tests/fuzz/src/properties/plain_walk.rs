//! Paths once more: as text and on the disk, one name after the other.

use std::fs;
use std::io::ErrorKind;

/// The normal form of a path, or nothing for one that must be refused.
pub(crate) fn normal(base: &str, home: Option<&str>, given: &str) -> Option<String> {
    if given.is_empty() || given.contains('\0') {
        return None;
    }
    let whole = if given == "~" || given.starts_with("~/") {
        format!("{}/{}", home?, &given[1..])
    } else if given.starts_with('/') {
        given.to_owned()
    } else {
        format!("{base}/{given}")
    };
    if given.split('/').any(|name| name.len() > 255) {
        return None;
    }
    let mut path = whole;
    // Each rule as often as it applies.
    while let Some(shorter) = shorten(&path) {
        path = shorter;
    }
    (path.len() <= 4095).then_some(path)
}

fn shorten(path: &str) -> Option<String> {
    if path.contains("//") {
        return Some(path.replace("//", "/"));
    }
    if path.len() > 1 && path.ends_with('/') {
        return Some(path[..path.len() - 1].to_owned());
    }
    let names: Vec<&str> = path.split('/').skip(1).collect();
    let at = names.iter().position(|name| matches!(*name, "." | ".."))?;
    let kept = if names[at] == ".." { at.saturating_sub(1) } else { at };
    Some(format!("/{}", [&names[..kept], &names[at + 1..]].concat().join("/")))
}

/// What a walk over the disk found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// Something is there, by this name without links.
    There(String),
    /// Nothing is there; this is what would be made.
    Missing(String),
    /// Nothing could be there.
    Nothing,
}

/// Follows an absolute, normal path, and ends before a place where it has to stop.
pub(crate) fn walk(path: &str, stop: impl Fn(&str) -> bool) -> Found {
    let mut ahead: Vec<String> = names(path);
    // The place of a link that the path as given ends in.
    let mut own = None;
    let mut here = String::new();
    let mut links = 0;
    while let Some(name) = ahead.pop() {
        if name == "." {
            continue;
        }
        if name == ".." {
            // Only texts of links bring these: the directory really above.
            here.truncate(here.rfind('/').unwrap_or(0));
            continue;
        }
        let next = format!("{here}/{name}");
        if stop(&next) {
            return Found::Missing(with_rest(next, &ahead));
        }
        match fs::symlink_metadata(&next) {
            Ok(found) if found.is_symlink() => {
                links += 1;
                let Ok(text) = fs::read_link(&next) else {
                    return Found::Nothing;
                };
                if links > 40 || next.starts_with("/proc/") {
                    return Found::Nothing;
                }
                if ahead.is_empty() && own.is_none() {
                    own = Some(next);
                }
                let Some(text) = text.to_str() else {
                    return Found::Nothing;
                };
                if text.starts_with('/') {
                    here.clear();
                }
                if text.ends_with('/') {
                    ahead.push(".".to_owned());
                }
                ahead.extend(names(text));
            }
            Ok(found) if !found.is_dir() && !ahead.is_empty() => return Found::Nothing,
            Ok(_) => here = next,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return match own {
                    Some(own) => Found::Missing(own),
                    None if ahead.iter().any(|name| name == "..") => Found::Nothing,
                    None => Found::Missing(with_rest(next, &ahead)),
                };
            }
            Err(_) => return Found::Nothing,
        }
    }
    Found::There(if here.is_empty() { "/".to_owned() } else { here })
}

/// The names of a path, the first one last.
fn names(path: &str) -> Vec<String> {
    let names = path.split('/').rev().filter(|name| !name.is_empty() && *name != ".");
    names.map(str::to_owned).collect()
}

fn with_rest(here: String, ahead: &[String]) -> String {
    let below = ahead.iter().rev().take_while(|name| *name != "..");
    below
        .filter(|name| *name != ".")
        .fold(here, |path, name| format!("{path}/{name}"))
}
