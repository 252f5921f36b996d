//! What a component may import, in plain words: its import list is its capability list.

use serde::Serialize;

use crate::catalog::Origin;

/// An imported interface as front ends show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImportInfo {
    /// The name with its version.
    pub name: String,
    /// What it lets the component do; absent for interfaces that are not offered.
    pub capability: Option<String>,
    /// Whether this host links it.
    pub granted: bool,
}

/// Interfaces this host links, with what each one means. A trailing `@` is
/// followed by the compatible versions.
const OFFERED: &[(&str, &str, &str)] = &[
    (
        "toolgate:plugin/files",
        "0.1.",
        "permission bits and atomic replacement of approved files",
    ),
    ("toolgate:plugin/log", "0.1.", "lines in the operator's log"),
    ("toolgate:plugin/catalog", "0.1.", "whether another tool is registered"),
    (
        "toolgate:plugin/walks",
        "0.1.",
        "its part of a walk that instances share",
    ),
    (
        "toolgate:plugin/state",
        "0.1.",
        "what this plugin keeps for the session that calls it",
    ),
    (
        "toolgate:plugin/payloads",
        "0.1.",
        "full results of this session's calls that were digested",
    ),
    (
        "toolgate:plugin/fetch",
        "0.1.",
        "requests for the URLs that the call was approved for",
    ),
    (
        "toolgate:plugin/channels",
        "0.1.",
        "messages to the channels that the call was approved for",
    ),
    (
        "wasi:http/types",
        "0.2.",
        "requests for the URLs that the call was approved for and to the hosts of tools.network",
    ),
    (
        "wasi:http/outgoing-handler",
        "0.2.",
        "requests for the URLs that the call was approved for and to the hosts of tools.network",
    ),
    (
        "wasi:filesystem/types",
        "0.2.",
        "the files and directories that the call was approved for",
    ),
    (
        "wasi:filesystem/preopens",
        "0.2.",
        "the files and directories that the call was approved for",
    ),
    ("wasi:io/error", "0.2.", "plumbing of streams; reaches nothing"),
    ("wasi:io/poll", "0.2.", "plumbing of streams; reaches nothing"),
    ("wasi:io/streams", "0.2.", "plumbing of streams; reaches nothing"),
    ("wasi:clocks/monotonic-clock", "0.2.", "time, in steps of 100 µs"),
    ("wasi:clocks/wall-clock", "0.2.", "time, in steps of 100 µs"),
    ("wasi:random/random", "0.2.", "random bytes, 64 KiB at a time"),
    ("wasi:random/insecure", "0.2.", "random bytes, 64 KiB at a time"),
    ("wasi:random/insecure-seed", "0.2.", "random bytes"),
    ("wasi:cli/environment", "0.2.", "nothing: no variables, no arguments"),
    ("wasi:cli/exit", "0.2.", "ending the call"),
    ("wasi:cli/stdin", "0.2.", "nothing: it is closed"),
    ("wasi:cli/stdout", "0.2.", "64 KiB that are thrown away"),
    ("wasi:cli/stderr", "0.2.", "64 KiB in the operator's log"),
    ("wasi:cli/terminal-input", "0.2.", "nothing: there is no terminal"),
    ("wasi:cli/terminal-output", "0.2.", "nothing: there is no terminal"),
    ("wasi:cli/terminal-stdin", "0.2.", "nothing: there is no terminal"),
    ("wasi:cli/terminal-stdout", "0.2.", "nothing: there is no terminal"),
    ("wasi:cli/terminal-stderr", "0.2.", "nothing: there is no terminal"),
];

/// Interfaces for one built-in tool alone, and which: what they do to a session, no plugin may do.
const RESERVED: &[(&str, &str, &str, &str)] = &[(
    "toolgate:plugin/plans",
    "0.1.",
    "recording the plan of the session that calls",
    "record_plan",
)];

/// Says of each import whether it is offered to a component from there.
pub(super) fn describe(names: &[String], origin: &Origin) -> Vec<ImportInfo> {
    names
        .iter()
        .map(|name| {
            let reserved = || match origin {
                Origin::Builtin => reserved(name).map(|(words, _)| words),
                Origin::Plugin(_) => None,
            };
            let capability = capability(name).or_else(reserved);
            ImportInfo {
                name: name.clone(),
                granted: capability.is_some(),
                capability: capability.map(str::to_owned),
            }
        })
        .collect()
}

/// The first import that is not offered to a plugin, with a reason.
pub(super) fn refused(names: &[String]) -> Option<(String, String)> {
    let name = names.iter().find(|name| capability(name).is_none())?;
    let (base, version) = name.split_once('@').unwrap_or((name, ""));
    if let Some((_, tool)) = reserved(name) {
        let reason = format!("it is for the built-in tool {tool} alone");
        return Some((name.clone(), reason));
    }
    let reason = match OFFERED.iter().find(|(offered, ..)| *offered == base) {
        Some((.., prefix, _)) if version.is_empty() => {
            format!("it has no version; this host offers {base}@{prefix}x")
        }
        Some((.., prefix, _)) => format!("this host offers version {prefix}x of it, not {version}"),
        None if base.starts_with("wasi:sockets") => {
            "plugins get no sockets and look up no names; requests go through wasi:http/outgoing-handler (componentize-py: \
             build with --stub-wasi)"
                .to_owned()
        }
        None if base == "wasi:http/incoming-handler" => {
            "plugins serve nothing (componentize-js: disableFeatures fetch-event)".to_owned()
        }
        None => "this host does not offer it".to_owned(),
    };
    Some((name.escape_debug().take(120).collect(), reason))
}

fn capability(name: &str) -> Option<&'static str> {
    OFFERED
        .iter()
        .find(|(offered, prefix, _)| is(name, offered, prefix))
        .map(|(.., words)| *words)
}

/// What a reserved interface does, and for which tool it is.
fn reserved(name: &str) -> Option<(&'static str, &'static str)> {
    RESERVED
        .iter()
        .find(|(offered, prefix, ..)| is(name, offered, prefix))
        .map(|(.., words, tool)| (*words, *tool))
}

/// Whether a name is this interface in a version that begins so.
fn is(name: &str, offered: &str, prefix: &str) -> bool {
    name.split_once('@').is_some_and(|(base, version)| {
        base == offered
            && version
                .strip_prefix(prefix)
                .is_some_and(|patch| !patch.is_empty() && patch.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_exact_interfaces_in_compatible_versions() {
        for name in [
            "wasi:filesystem/types@0.2.9",
            "toolgate:plugin/log@0.1.0",
            "wasi:io/poll@0.2.0",
        ] {
            assert!(capability(name).is_some(), "{name}");
        }
        for name in [
            "wasi:filesystem/types",
            "wasi:filesystem/types@0.3.0",
            "wasi:filesystem/types@0.2.",
            "wasi:filesystem/types@0.2.1-rc",
            "wasi:sockets/tcp@0.2.0",
            "wasi:filesystem/types/x@0.2.0",
            "log",
        ] {
            assert!(capability(name).is_none(), "{name}");
        }
    }

    #[test]
    fn what_is_reserved_is_for_no_plugin() {
        let names = ["toolgate:plugin/plans@0.1.0".to_owned()];
        assert_eq!(capability(&names[0]), None);
        let (name, reason) = refused(&names).unwrap();
        assert!(name == names[0] && reason.contains("record_plan alone"), "{reason}");
        assert!(describe(&names, &Origin::Builtin)[0].granted);
        assert!(!describe(&names, &Origin::Plugin("p.wasm".into()))[0].granted);
        assert!(refused(&["toolgate:plugin/plans@0.2.0".to_owned()]).is_some());
    }
}
