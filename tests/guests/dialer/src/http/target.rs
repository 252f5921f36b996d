//! Where a request goes, in the parts that `wasi:http` takes. Nothing is checked or normalised.

use super::args::Args;

/// The parts, each as given.
#[derive(Clone, Default)]
pub(crate) struct Target {
    /// Before `://`.
    pub(crate) scheme: Option<String>,
    /// From there to the first `/`, `?` or `#`.
    pub(crate) authority: Option<String>,
    /// The rest, without the fragment.
    pub(crate) path: Option<String>,
}

impl Target {
    /// The parts of a URL.
    pub(crate) fn of(url: &str) -> Self {
        let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
        let (authority, path) = split(rest);
        Self {
            scheme: Some(scheme.to_owned()),
            authority: Some(authority.to_owned()),
            path: Some(path),
        }
    }

    /// The parts of `url`, and those that are given one by one instead.
    pub(crate) fn of_args(args: &Args) -> Self {
        let base = args.url.as_deref().map(Self::of).unwrap_or_default();
        Self {
            scheme: args.scheme.clone().or(base.scheme),
            authority: args.authority.clone().or(base.authority),
            path: args.path.clone().or(base.path),
        }
    }

    /// Where a `location` leads from here: a URL, one without scheme, or a path.
    pub(crate) fn join(&self, location: &str) -> Self {
        if location.contains("://") {
            return Self::of(location);
        }
        let mut joined = self.clone();
        if let Some(rest) = location.strip_prefix("//") {
            let (authority, path) = split(rest);
            joined.authority = Some(authority.to_owned());
            joined.path = Some(path);
        } else {
            joined.path = Some(split(location).1);
        }
        joined
    }
}

/// Authority, and path with query; the path is never empty.
fn split(rest: &str) -> (&str, String) {
    let rest = rest.split('#').next().unwrap_or_default();
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let slash = if path.starts_with('/') { "" } else { "/" };
    (authority, format!("{slash}{path}"))
}
