//! Two hosts on the same tree: one that shares a search between instances, one that cannot.

use std::path::Path;

use serde_json::{Map, Value};
use toolgate::config::{CapsConfig, StoreKind};
use toolgate::scope::MandatoryClass;
use toolgate::{Call, Config, Host, Mode, SessionOptions};
use toolgate_tests::rig::builder;

/// More than any result here has.
pub(crate) const UNLIMITED: CapsConfig = CapsConfig {
    max_bytes: 256 << 20,
    max_lines: 1 << 30,
};

/// A host that runs so many instances at a time.
pub(crate) fn host(root: &Path, concurrency: u32, caps: CapsConfig, configure: &dyn Fn(&mut Config)) -> Host {
    let mut config = Config::default();
    config.limits.concurrency = concurrency;
    config.limits.walk_entries = 10_000_000;
    config.limits.deadline_seconds = 300.0;
    config.tool_output.digest = false;
    config.session.store = StoreKind::Off;
    // The peers know nothing of files that are kept from tools.
    config.path_scope.lift = vec![MandatoryClass::EnvFiles, MandatoryClass::Keys];
    for tool in ["grep", "glob"] {
        config.tool_output.per_tool.insert(tool.to_owned(), caps);
    }
    configure(&mut config);
    builder(root).mode(Mode::Yolo).config(config).build().unwrap()
}

/// The two hosts.
pub(crate) struct Pair {
    shared: Host,
    single: Host,
}

impl Pair {
    pub(crate) fn new(root: &Path, caps: CapsConfig) -> Self {
        Self::with_config(root, caps, |_| {})
    }

    /// The same with further settings.
    pub(crate) fn with_config(root: &Path, caps: CapsConfig, configure: impl Fn(&mut Config)) -> Self {
        Self {
            // Places for a call and more instances of it than there are processors, so that none is missing.
            shared: host(root, 32, caps, &configure),
            // Without a place for a second instance there is only one.
            single: host(root, 1, caps, &configure),
        }
    }

    /// What a single instance gives, after seeing that several give the same, each of so many times.
    pub(crate) fn call(&self, tool: &str, arguments: &Value, times: usize) -> Map<String, Value> {
        let single = call(&self.single, tool, arguments);
        for _ in 0..times {
            let shared = call(&self.shared, tool, arguments);
            if shared != single {
                panic!("{tool} {arguments}: {}", difference(&shared, &single));
            }
        }
        single
    }
}

fn call(host: &Host, tool: &str, arguments: &Value) -> Map<String, Value> {
    let session = host.session(SessionOptions::default());
    session.call_blocking(Call::new(tool, arguments.clone())).unwrap().value
}

/// Where two results differ, for they are too long to be shown.
fn difference(shared: &Map<String, Value>, single: &Map<String, Value>) -> String {
    let mut text = String::new();
    let names: std::collections::BTreeSet<_> = shared.keys().chain(single.keys()).collect();
    for name in names {
        match (shared.get(name), single.get(name)) {
            (Some(Value::Array(several)), Some(Value::Array(one))) => {
                let same = several
                    .iter()
                    .zip(one)
                    .take_while(|(several, one)| several == one)
                    .count();
                text.push_str(&format!(
                    "{name}: {} of several instances, {} of one, the first {same} are the same; then {:?} and {:?}; ",
                    several.len(),
                    one.len(),
                    several.get(same),
                    one.get(same)
                ));
            }
            (several, one) => text.push_str(&format!("{name}: {several:?} and {one:?}; ")),
        }
    }
    text
}
