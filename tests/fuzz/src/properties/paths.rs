//! Paths: as text, on the disk and under a scope, against slow references of each.

use toolgate::scope::{Access, MandatoryClass, PathScope, PathScopeBuilder, normalise, resolve};

use super::SEPARATOR;
use super::pace::bounded;
use super::plain_glob::PlainGlob;
use super::plain_walk::{Found, normal, walk};
use super::tree::Tree;

/// Most entries of an input that count.
const MOST_ENTRIES: usize = 6;

/// `path ␟ entry ␟ entry …`
pub(crate) fn check(input: &[u8], tree: &Tree) {
    let text = String::from_utf8_lossy(input);
    let mut parts = text.split(SEPARATOR);
    let given = tree.expand(parts.next().unwrap_or(""));
    let entries: Vec<String> = parts.take(MOST_ENTRIES).map(|entry| tree.expand(entry)).collect();
    bounded("a path", input.len(), || {
        lexical(&given, tree);
        on_disk(&given, tree);
        scoped(&given, &Policy::of(&entries), tree);
    });
}

fn lexical(given: &str, tree: &Tree) {
    let (project, home) = (tree.project(), tree.home());
    for home in [None, Some(home.as_str())] {
        let found = normalise(&project, home, given);
        assert_eq!(found.as_ref().ok(), normal(&project, home, given).as_ref(), "{given:?}");
        if let Ok(path) = found {
            assert!(path.starts_with('/') && (path == "/" || !path.ends_with('/')));
            assert_eq!(normalise("/elsewhere", None, &path).as_ref(), Ok(&path));
        }
    }
}

/// The kernel has the last word on what is there.
fn on_disk(given: &str, tree: &Tree) {
    let Ok(path) = normalise(&tree.project(), Some(&tree.home()), given) else {
        return;
    };
    if path.starts_with("/proc/") || path == "/proc" || path.starts_with("/dev/") {
        return;
    }
    let found = resolve(&path, true);
    let plain = walk(&path, |_| false);
    match &found {
        Ok(found) if found.exists => assert_eq!(plain, Found::There(found.path.clone()), "{path:?}"),
        Ok(found) => assert_eq!(plain, Found::Missing(found.path.clone()), "{path:?}"),
        Err(error) => {
            assert_eq!(plain, Found::Nothing, "{path:?}: {error}");
            assert!(!error.to_string().is_empty());
        }
    }
    match (std::fs::canonicalize(&path), &found) {
        (Ok(real), found) => {
            let found = found
                .as_ref()
                .unwrap_or_else(|error| panic!("{path:?} exists: {error}"));
            assert!(
                found.exists && real.to_str() == Some(&found.path),
                "{path:?} is {real:?}, not {found:?}"
            );
        }
        (Err(_), Ok(found)) => assert!(!found.exists, "{path:?} does not exist, and {found:?}"),
        (Err(_), Err(_)) => {}
    }
    if let Ok(found) = found {
        let again = resolve(&found.path, true).unwrap();
        assert_eq!((again.path, again.exists), (found.path, found.exists), "twice {path:?}");
    }
}

/// The entries of an input.
#[derive(Debug)]
struct Policy<'a> {
    allow: Vec<(&'a str, Access)>,
    deny: Vec<&'a str>,
}

impl<'a> Policy<'a> {
    fn of(entries: &'a [String]) -> Self {
        let mut policy = Self {
            allow: Vec::new(),
            deny: Vec::new(),
        };
        for entry in entries {
            if let Some(pattern) = entry.strip_prefix('-') {
                policy.deny.push(pattern);
            } else if let Some((access, pattern)) = entry.split_once(' ')
                && let Ok(access) = access.parse()
            {
                policy.allow.push((pattern, access));
            }
        }
        policy
    }
}

fn scoped(given: &str, policy: &Policy<'_>, tree: &Tree) {
    let deny: Option<Vec<Denial>> = policy.deny.iter().map(|text| Denial::parse(text, tree)).collect();
    let allow: Option<Vec<Vec<Entry>>> = policy
        .allow
        .iter()
        .map(|(text, access)| Entry::parse(text, *access, tree))
        .collect();
    let build = |lift: &[MandatoryClass]| {
        let builder = PathScope::builder(tree.project()).home(Some(tree.home()));
        let builder = builder
            .deny(policy.deny.clone())
            .lift(lift.iter().map(|class| class.name()));
        let add = |builder: PathScopeBuilder, (pattern, access): &(&str, Access)| builder.allow(*pattern, *access);
        policy.allow.iter().fold(builder, add).build()
    };
    let (scope, deny, allow) = match (build(&MandatoryClass::ALL), deny, allow) {
        (Ok(scope), Some(deny), Some(allow)) => (scope, deny, allow.concat()),
        (Err(error), None, _) | (Err(error), _, None) => {
            assert!(!error.to_string().is_empty());
            return;
        }
        (Ok(_), _, _) => panic!("{policy:?} cannot be used, and is taken"),
        (Err(error), Some(_), Some(_)) => {
            // How large a pattern may become is not for the reference to say.
            let large = ["too many ways", "size limit"];
            return assert!(
                large.iter().any(|text| error.to_string().contains(text)),
                "{policy:?} can be used: {error}"
            );
        }
    };
    let denied = |root: &str, relative: &str| deny.iter().any(|denial| denial.holds(root, relative));
    let Some(path) = normal(
        &tree.project(),
        Some(&tree.home()),
        if given.is_empty() { "." } else { given },
    ) else {
        assert_eq!(scope.access_of(given), Access::NONE, "{given:?} names nothing");
        return;
    };
    anywhere(policy, &path, &scope, &denied);
    let at = |path: &str| {
        let place = scope.locate(path)?;
        let root = scope.roots()[place.root].path();
        assert_eq!(scope.absolute(place.root, &place.relative), path);
        assert_eq!(
            scope.denied(place.root, &place.relative).is_some(),
            denied(root, &place.relative),
            "{path:?} under {policy:?}"
        );
        Some(denied(root, &place.relative))
    };
    // Links in /proc come and go.
    if path.starts_with("/proc") || path.starts_with("/dev/") {
        return;
    }
    let found = walk(&path, |here| at(here) == Some(true));
    let expected = match &found {
        Found::There(real) | Found::Missing(real) if at(real) == Some(false) => granted(&allow, real, tree),
        _ => Access::NONE,
    };
    assert_eq!(
        scope.access_of(given),
        expected,
        "{given:?} under {policy:?} is {found:?}"
    );
}

/// The deny list for a path that need not exist, nor lie in the scope.
fn anywhere(policy: &Policy<'_>, path: &str, scope: &PathScope, denied: &dyn Fn(&str, &str) -> bool) {
    let denied = |path: &str| match scope.locate(path) {
        Some(place) => denied(scope.roots()[place.root].path(), &place.relative),
        None => denied("/", path.trim_start_matches('/')),
    };
    let found = scope.denied_anywhere(path);
    assert_eq!(found.is_some(), denied(path), "{path:?} under {policy:?}");
    assert!(found.is_none_or(|pattern| policy.deny.contains(&pattern)));
    // What may be moved takes nothing out of a prohibition.
    let Some((folder, name)) = path.rsplit_once('/').filter(|(folder, _)| !folder.is_empty()) else {
        return;
    };
    for other in ["elsewhere", "a/moved"] {
        let other = format!("{}/{other}", scope.project());
        let fixed = |folder: &str| denied(folder) || scope.moves_rights(folder, &[]);
        if scope.locate(folder).is_some() && !fixed(folder) && !fixed(&other) {
            let moved = format!("{other}/{name}");
            assert_eq!(denied(path), denied(&moved), "{policy:?}: {path:?} moved to {moved:?}");
        }
    }
}

/// A deny pattern that can be used.
#[derive(Debug)]
enum Denial {
    /// At any depth below a root.
    Floating(PlainGlob),
    /// These absolute spellings.
    Anchored(Vec<PlainGlob>),
}

impl Denial {
    fn parse(text: &str, tree: &Tree) -> Option<Self> {
        let bare = text.trim_end_matches('/');
        let floats = bare.strip_prefix("**/").or_else(|| {
            let is_name = !bare.contains('/') && !bare.starts_with('~') && bare != ".";
            is_name.then_some(bare)
        });
        if bare.is_empty() {
            return None;
        }
        if let Some(core) = floats {
            let names = normal("/", None, &format!("/{core}"))?;
            let names = names.strip_suffix("/...").unwrap_or(&names);
            let core = names.strip_prefix('/').filter(|core| !core.is_empty())?;
            return PlainGlob::parse(core).map(Self::Floating);
        }
        let spellings = spellings(&absolute(bare, tree)?);
        let tops = spellings.iter().map(|text| text.strip_suffix("/...").unwrap_or(text));
        tops.map(PlainGlob::parse).collect::<Option<_>>().map(Self::Anchored)
    }

    /// Whether it names the path or something above it.
    fn holds(&self, root: &str, relative: &str) -> bool {
        match self {
            Self::Floating(glob) => {
                let starts = relative.match_indices('/').map(|(at, _)| at + 1).chain([0]);
                !relative.is_empty() && starts.into_iter().any(|start| glob.matches_above(&relative[start..]))
            }
            Self::Anchored(globs) => {
                let path = if relative.is_empty() {
                    root.to_owned()
                } else {
                    format!("{}/{relative}", root.trim_end_matches('/'))
                };
                let above_all = |glob: &PlainGlob| glob.matches("") || glob.matches("/");
                globs.iter().any(|glob| above_all(glob) || glob.matches_above(&path))
            }
        }
    }
}

/// One spelling of an entry that can be used.
#[derive(Debug, Clone)]
struct Entry {
    text: String,
    access: Access,
}

impl Entry {
    fn parse(text: &str, access: Access, tree: &Tree) -> Option<Vec<Self>> {
        let bare = if text == "/" { text } else { text.trim_end_matches('/') };
        let mut entries = Vec::new();
        for text in spellings(&absolute(bare, tree)?) {
            PlainGlob::parse(text.strip_suffix("/...").unwrap_or(&text))?;
            if top(&text) == "/" {
                return None;
            }
            entries.push(Self { text, access });
        }
        Some(entries)
    }

    fn literal(&self) -> usize {
        let core = self.text.strip_suffix("/...").unwrap_or(&self.text);
        core.find(is_wild).unwrap_or(core.len())
    }

    fn matches(&self, path: &str) -> bool {
        match self.text.strip_suffix("/...") {
            Some(core) => PlainGlob::parse(core).is_some_and(|glob| glob.matches_above(path)),
            None => PlainGlob::parse(&self.text).is_some_and(|glob| glob.matches(path)),
        }
    }
}

/// The entry with the longest literal part decides; several of the same length add up.
fn granted(entries: &[Entry], path: &str, tree: &Tree) -> Access {
    let own = Entry {
        text: format!("{}/...", tree.project()),
        access: Access::READ_WRITE,
    };
    let matching: Vec<&Entry> = entries
        .iter()
        .chain([&own])
        .filter(|entry| entry.matches(path))
        .collect();
    let longest = matching.iter().map(|entry| entry.literal()).max();
    let deciding = matching.iter().filter(|entry| Some(entry.literal()) == longest);
    deciding.fold(Access::NONE, |all, entry| all.union(entry.access))
}

fn is_wild(char: char) -> bool {
    "*?[{\\".contains(char)
}

/// Only what says where it starts can be used.
fn absolute(text: &str, tree: &Tree) -> Option<String> {
    let anchored = text.starts_with(['/', '~']) || text.starts_with("./") || text == ".";
    let is_name = text.starts_with('~') && text != "~" && !text.starts_with("~/");
    if !anchored || is_name || text.starts_with("//") {
        return None;
    }
    normal(&tree.project(), Some(&tree.home()), text)
}

/// A pattern, and what it is where its literal part leads through links.
fn spellings(text: &str) -> Vec<String> {
    let core = text.strip_suffix("/...").unwrap_or(text);
    let usable = PlainGlob::parse(core).is_some();
    let from = top(text);
    let rest = text.strip_prefix(&from).unwrap_or("");
    match walk(&from, |_| false) {
        Found::There(to) | Found::Missing(to) if usable && to != from => {
            let rest = if from == "/" { text } else { rest };
            vec![
                text.to_owned(),
                if to == "/" {
                    rest.to_owned()
                } else {
                    format!("{to}{rest}")
                },
            ]
        }
        _ => vec![text.to_owned()],
    }
}

/// The directory before the first wildcard, or the whole.
fn top(text: &str) -> String {
    let core = text.strip_suffix("/...").unwrap_or(text);
    let top = match core.find(is_wild) {
        Some(wild) => &text[..core[..wild].rfind('/').unwrap_or(0)],
        None if core.len() < text.len() => core,
        None => text,
    };
    if top.is_empty() { "/".to_owned() } else { top.to_owned() }
}
