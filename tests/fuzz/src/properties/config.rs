//! The configuration: what loads says the same when it is written and read again, and a stranger's file gives nothing.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use toolgate::config::{Config, DiscoverOptions, Effective, Layers, Writer, Written, json, schema, text};
use toolgate::scope::Access;

use super::SEPARATOR;
use super::keys::{unknown, widened};
use super::pace::bounded;

/// Sections of the schema that belong to other programs.
const FOREIGN: [&str; 8] = [
    "$schema",
    "attach",
    "model",
    "otel",
    "pricing",
    "compaction",
    "ui",
    "mock",
];

/// `operator's file ␟ project's file ␟ manifest of the project`
pub(crate) fn check(input: &[u8], places: &Places) {
    let whole = String::from_utf8_lossy(input);
    let mut parts = whole.split(SEPARATOR);
    let mut part = || parts.next().unwrap_or("");
    let (operator, project, manifest) = (part(), part(), part());
    bounded("a configuration", input.len(), || {
        written_again(operator);
        layered(operator, project, manifest, places);
    });
    // Seldom, since each write waits for the disk.
    if input.len() % 16 == 3 {
        added(operator, places);
    }
}

fn is_json(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with('{')
}

fn written_again(text: &str) {
    let loaded = if is_json(text) {
        Config::from_json(text)
    } else {
        Config::from_toml(text)
    };
    let config = match loaded {
        Ok(config) => config,
        Err(reason) => return assert!(!reason.is_empty()),
    };
    assert_eq!(config.validate(), Ok(()), "it loads, and is not valid: {text:?}");
    let written = serde_json::to_string(&config).unwrap();
    let again = Config::from_json(&written).unwrap_or_else(|error| panic!("{written} is not read again: {error}"));
    assert_eq!(value(&again), value(&config), "{text:?}");
}

fn value(config: &Config) -> Value {
    serde_json::to_value(config).unwrap()
}

/// The operator's file alone, and with a project's file that nobody trusts.
fn layered(operator: &str, project: &str, manifest: &str, places: &Places) {
    let Some(before) = places.load(operator, "", "") else {
        return;
    };
    let Some(after) = places.load(operator, project, manifest) else {
        return;
    };
    let (before, after) = (value(&before.config), value(&after.config));
    let wider = widened(&before, &after);
    assert!(wider.is_empty(), "{project:?} over {operator:?} widens {wider:?}");
}

/// An entry added to a file is all that changes.
fn added(text: &str, places: &Places) {
    let file = places
        .base
        .join(if is_json(text) { "written.json" } else { "written.toml" });
    fs::write(&file, text).unwrap();
    let writer = Writer::new(&file);
    let before = Config::load(&file).ok();
    let result = writer.append("permissions.deny", "read_file:/x \"y\"");
    let Some(before) = before else {
        assert!(
            result.is_err() && fs::read_to_string(&file).unwrap() == text,
            "{text:?} is no configuration"
        );
        return;
    };
    let (Ok(_), Ok(_)) = (result, writer.allow_path("./x/...", Access::READ)) else {
        // A list that is written in a way that cannot be added to is left alone.
        assert!(Config::load(&file).is_ok());
        return;
    };
    let mut expected = before;
    let deny = &mut expected.permissions.deny;
    if !deny.iter().any(|rule| rule == "read_file:/x \"y\"") {
        deny.push("read_file:/x \"y\"".to_owned());
    }
    let after = Config::load(&file).unwrap_or_else(|error| panic!("{text:?} was broken: {error}"));
    let (mut after, mut expected) = (value(&after), value(&expected));
    let entries = after["path_scope"]["allow_paths"].take();
    assert!(
        entries
            .as_array()
            .is_some_and(|entries| entries.iter().any(|entry| entry["path"] == "./x/..."))
    );
    expected["path_scope"]["allow_paths"].take();
    assert_eq!(after, expected, "{text:?}");
    assert!(matches!(
        writer.allow_path("./x/...", Access::READ),
        Ok(Written::Unchanged)
    ));
}

/// Where the files of one input are written; it goes with this value.
#[derive(Debug)]
pub(crate) struct Places {
    base: PathBuf,
    _folder: tempfile::TempDir,
}

impl Places {
    pub(crate) fn new() -> Self {
        let mut missing = unknown(&schema());
        missing.retain(|key| !FOREIGN.contains(&key.as_str()));
        assert!(missing.is_empty(), "it is not said what widens {missing:?}");
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        fs::create_dir_all(base.join("project/.agents")).unwrap();
        Self { base, _folder: folder }
    }

    fn load(&self, operator: &str, project: &str, manifest: &str) -> Option<Effective> {
        let mut options = DiscoverOptions {
            root: self.base.join("project"),
            state: Some(self.base.join("state")),
            ..DiscoverOptions::default()
        };
        let user = if is_json(operator) { "user.json" } else { "user.toml" };
        options.user_file = Some(self.base.join(user));
        fs::write(self.base.join(user), operator).unwrap();
        let own = if is_json(project) {
            "config.json"
        } else {
            "toolgate.toml"
        };
        let env = if is_json(manifest) { "env.json" } else { "env.yaml" };
        let folder = self.base.join("project/.agents");
        for name in ["config.json", "toolgate.toml", "env.json", "env.yaml"] {
            let _ = fs::remove_file(folder.join(name));
        }
        for (name, text) in [(own, project), (env, manifest)] {
            if !text.is_empty() {
                fs::write(folder.join(name), text).unwrap();
            }
        }
        match Layers::discover(&options) {
            Ok(effective) => {
                assert_eq!(effective.config.validate(), Ok(()));
                assert!(!text(&effective).is_empty() && json(&effective).is_object());
                Some(effective)
            }
            Err(errors) => {
                assert!(!errors.problems().is_empty());
                for problem in errors.problems() {
                    assert!(
                        !problem.reason.is_empty() && problem.to_string().contains('.'),
                        "{problem}"
                    );
                }
                None
            }
        }
    }
}
