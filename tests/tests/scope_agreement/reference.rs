//! The rules of a path scope, as slow and plain as they can be written, on a tree kept in memory.

use toolgate::scope::Access;

/// The directories of the tree; each holds the same files and links.
pub(crate) const FOLDERS: [&str; 20] = [
    "",
    "a",
    "a/b",
    "a/b/c",
    "dir",
    "ro",
    "ro/a",
    "ro/b",
    "ro/dir",
    "secrets",
    "secrets/a",
    "secrets/key",
    ".git",
    ".git/hooks",
    "a/.git",
    ".vscode",
    ".github",
    ".github/workflows",
    "dir/.config",
    "dir/.config/fish",
];
pub(crate) const FILES: [&str; 6] = ["in.txt", ".env", "x.pem", "config", ".bashrc", ".env.example"];
/// Link and text. What `l_dir` and `l_in` lead to depends on the directory they are in.
pub(crate) const LINKS: [(&str, &str); 6] = [
    ("l_dir", "a"),
    ("l_env", ".env"),
    ("l_in", "l_dir/in.txt"),
    ("l_up", ".."),
    ("l_out", "../../../../../../../../../etc"),
    ("l_gone", "gone"),
];

/// What stands at the end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Object {
    File,
    Directory,
    /// Nothing, in a directory that exists.
    Absent,
    /// Nothing that could be made, or nothing that may be known of.
    Nowhere,
}

/// What may be done with a path, and what is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) access: Access,
    pub(crate) object: Object,
    /// The same place without links, below the root; `None` where nothing may be known of it.
    pub(crate) place: Option<String>,
    /// What may be done with the place under its own name.
    pub(crate) place_access: Access,
    /// Whether a change to the place takes an approval of exactly that file.
    pub(crate) guarded: bool,
}

const NOTHING: Answer = Answer {
    access: Access::NONE,
    object: Object::Nowhere,
    place: None,
    place_access: Access::NONE,
    guarded: false,
};

/// Classes of mandatory denies as patterns at any depth, and whether they hide. A pattern that
/// ends in `!` speaks of the path alone and not of what is below it.
const CLASSES: [(&str, bool, &[&str]); 6] = [
    ("git_hooks", false, &["**/.git!", "**/.git/hooks", "**/.git/config"]),
    (
        "shell_start_files",
        false,
        &["**/.bashrc", "**/.config/fish/config.fish"],
    ),
    ("editor_settings", false, &["**/.vscode"]),
    ("ci", false, &["**/.github/workflows"]),
    ("env_files", true, &["**/.env", "**/.env.[!e]*"]),
    ("keys", true, &["**/.ssh", "**/*.pem", "**/id_rsa"]),
];
/// What takes an approval of its own when its class is lifted.
const GUARDED: [&str; 6] = [
    "**/.git!",
    "**/.git/hooks",
    "**/.git/config",
    "**/.bashrc",
    "**/.config/fish/config.fish",
    "**/.ssh",
];

/// Entries and deny patterns, beside the project itself, which may be read and written.
#[derive(Debug)]
pub(crate) struct Policy {
    pub(crate) allow: Vec<(&'static str, &'static str)>,
    pub(crate) deny: Vec<&'static str>,
    /// Classes of mandatory denies that are not in force.
    pub(crate) lift: Vec<&'static str>,
}

impl Policy {
    pub(crate) fn answer(&self, root: &str, path: &str) -> Answer {
        let Some(mut ahead) = lexical(path) else { return NOTHING };
        ahead.reverse();
        let mut here: Vec<String> = Vec::new();
        let mut links = 0;
        let mut object = Object::Directory;
        while let Some(name) = ahead.pop() {
            if name == ".." {
                // Only texts of links bring these.
                if here.pop().is_none() {
                    return NOTHING;
                }
                continue;
            }
            match object {
                Object::Directory => {}
                Object::File => return NOTHING,
                Object::Absent | Object::Nowhere => {
                    here.push(name);
                    object = Object::Nowhere;
                    continue;
                }
            }
            let folder = here.join("/");
            here.push(name.clone());
            if self.denied(&here.join("/")) || self.mandatory(&here.join("/"), false) {
                return NOTHING;
            }
            if FOLDERS.contains(&here.join("/").as_str()) {
                object = Object::Directory;
            } else if FILES.contains(&name.as_str()) {
                object = Object::File;
            } else if let Some((_, text)) = LINKS.iter().find(|(link, _)| *link == name) {
                links += 1;
                if links > 40 {
                    return NOTHING;
                }
                // A link to nothing stands for itself.
                if ahead.is_empty() && dangles(&folder, text) {
                    object = Object::Nowhere;
                    continue;
                }
                here.pop();
                ahead.extend(text.split('/').rev().map(str::to_owned));
            } else {
                object = Object::Absent;
            }
        }
        let relative = here.join("/");
        if self.denied(&relative) || self.mandatory(&relative, false) {
            return NOTHING;
        }
        let granted = self.access(root, &relative);
        let place_access = Access {
            write: granted.write && !self.mandatory(&relative, true),
            ..granted
        };
        let asked = lexical(path).unwrap_or_default().join("/");
        Answer {
            access: Access {
                write: place_access.write && !self.mandatory(&asked, true),
                ..place_access
            },
            place_access,
            guarded: GUARDED.iter().any(|pattern| speaks(pattern, &relative)),
            object,
            place: Some(if relative.is_empty() { ".".to_owned() } else { relative }),
        }
    }

    /// Whether a class in force keeps the path from being changed, or from being read.
    fn mandatory(&self, relative: &str, writes: bool) -> bool {
        CLASSES.iter().any(|(class, hides, patterns)| {
            (writes || *hides) && !self.lift.contains(class) && patterns.iter().any(|pattern| speaks(pattern, relative))
        })
    }

    /// Whether the path or anything above it is denied.
    fn denied(&self, relative: &str) -> bool {
        let names: Vec<&str> = relative.split('/').filter(|name| !name.is_empty()).collect();
        (1..=names.len()).any(|length| self.deny.iter().any(|pattern| denies(pattern, &names[..length])))
    }

    /// The entry with the longest literal part decides; several of the same length add up.
    fn access(&self, root: &str, relative: &str) -> Access {
        let names: Vec<&str> = relative.split('/').filter(|name| !name.is_empty()).collect();
        let mut matching = vec![(root.len(), Access::READ_WRITE)];
        for (pattern, access) in &self.allow {
            let below = pattern.strip_prefix("./").unwrap();
            let literal = match below.strip_suffix("/...") {
                Some(top) if !top.contains(is_wild) => {
                    let tops: Vec<&str> = top.split('/').collect();
                    names.starts_with(&tops).then_some(root.len() + 1 + top.len())
                }
                // Whatever the glob names, and all below it.
                Some(top) => {
                    let literal = top.find(is_wild).unwrap_or(top.len());
                    (1..=names.len())
                        .any(|end| matches_names(top, &names[..end]))
                        .then_some(root.len() + 1 + literal)
                }
                _ => {
                    let literal = below.find(is_wild).unwrap_or(below.len());
                    matches_names(below, &names).then_some(root.len() + 1 + literal)
                }
            };
            if let Some(literal) = literal {
                matching.push((literal, access.parse().unwrap()));
            }
        }
        let longest = matching.iter().map(|(literal, _)| *literal).max().unwrap();
        let deciding = matching.iter().filter(|(literal, _)| *literal == longest);
        deciding.fold(Access::NONE, |all, (_, access)| all.union(*access))
    }
}

fn is_wild(letter: char) -> bool {
    "*?[{\\".contains(letter)
}

/// Without `.`; each `..` takes away the name before it; `None` above the root.
fn lexical(path: &str) -> Option<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    for name in path.split('/').filter(|name| !name.is_empty() && *name != ".") {
        if name == ".." {
            names.pop()?;
        } else {
            names.push(name.to_owned());
        }
    }
    Some(names)
}

/// Whether a link in this folder leads to nothing: followed on the tree alone, whatever is denied.
fn dangles(folder: &str, text: &str) -> bool {
    let target = format!("{folder}/{text}");
    let free = Policy {
        allow: Vec::new(),
        deny: Vec::new(),
        lift: CLASSES.iter().map(|(class, ..)| *class).collect(),
    };
    match lexical(&target) {
        Some(_) => matches!(free.answer("/", &target).object, Object::Absent | Object::Nowhere),
        None => false,
    }
}

/// Whether a pattern of a class speaks of a path.
fn speaks(pattern: &str, relative: &str) -> bool {
    let names: Vec<&str> = relative.split('/').filter(|name| !name.is_empty()).collect();
    match pattern.strip_suffix('!') {
        Some(pattern) => denies(pattern, &names),
        None => (1..=names.len()).any(|length| denies(pattern, &names[..length])),
    }
}

/// Whether a deny pattern names exactly this path.
fn denies(pattern: &str, names: &[&str]) -> bool {
    let floating = pattern
        .strip_prefix("**/")
        .or_else(|| (!pattern.contains('/')).then_some(pattern));
    let (core, any_depth) = match floating {
        Some(core) => (core, true),
        None => (pattern.strip_prefix("./").unwrap(), false),
    };
    let core = core.strip_suffix("/...").unwrap_or(core);
    let starts = if any_depth { names.len() } else { 1 };
    (0..starts).any(|start| matches_names(core, &names[start..]))
}

/// Braces first, each way they can be read.
fn matches_names(glob: &str, names: &[&str]) -> bool {
    if let Some(open) = glob.find('{') {
        let close = open + glob[open..].find('}').unwrap();
        return glob[open + 1..close]
            .split(',')
            .any(|part| matches_names(&format!("{}{part}{}", &glob[..open], &glob[close + 1..]), names));
    }
    let parts: Vec<&str> = glob.split('/').collect();
    matches_parts(&parts, names)
}

fn matches_parts(parts: &[&str], names: &[&str]) -> bool {
    match parts {
        [] => names.is_empty(),
        // At the end: everything below, but not the directory itself.
        ["**"] => !names.is_empty(),
        ["**", rest @ ..] => (0..=names.len()).any(|skipped| matches_parts(rest, &names[skipped..])),
        [part, rest @ ..] => match names {
            [] => false,
            [name, others @ ..] => {
                let letters: Vec<char> = part.chars().collect();
                let name: Vec<char> = name.chars().collect();
                matches_name(&letters, &name) && matches_parts(rest, others)
            }
        },
    }
}

fn matches_name(glob: &[char], name: &[char]) -> bool {
    match glob {
        [] => name.is_empty(),
        ['*', rest @ ..] => (0..=name.len()).any(|taken| matches_name(rest, &name[taken..])),
        ['?', rest @ ..] => !name.is_empty() && matches_name(rest, &name[1..]),
        ['\\', letter, rest @ ..] => name.first() == Some(letter) && matches_name(rest, &name[1..]),
        ['[', ..] => {
            let close = glob.iter().skip(2).position(|letter| *letter == ']').unwrap() + 2;
            name.first().is_some_and(|letter| in_class(&glob[1..close], *letter))
                && matches_name(&glob[close + 1..], &name[1..])
        }
        [letter, rest @ ..] => name.first() == Some(letter) && matches_name(rest, &name[1..]),
    }
}

fn in_class(class: &[char], letter: char) -> bool {
    match class {
        ['!', rest @ ..] => !in_class(rest, letter),
        [low, '-', high, rest @ ..] => (*low..=*high).contains(&letter) || in_class(rest, letter),
        [one, rest @ ..] => *one == letter || in_class(rest, letter),
        [] => false,
    }
}
