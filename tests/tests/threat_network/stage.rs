//! A host with the dialer, and everybody who could notice what it does.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use toolgate::gate::{Explanation, Outcome};
use toolgate::{BuildError, Call, CallError, Config, Host, Mode};
use toolgate_tests::net::{Request, Script, scripts};
use toolgate_tests::rig::{self, Rig};

use crate::everywhere::{Arrived, Everywhere};
use crate::names::Names;
use crate::packets::Observer;

/// Everything that a plugin of `tools.network` could be granted.
pub(crate) const ALL: [&str; 2] = ["http://*:*", "*:*"];

/// The network around hosts: servers at all addresses, a resolver, and the observer.
pub(crate) struct World {
    pub(crate) servers: Everywhere,
    pub(crate) names: Arc<Names>,
    pub(crate) observer: Observer,
}

impl World {
    /// With a page at every path of every host.
    pub(crate) async fn new(names: &[&str], ports: &[u16]) -> Self {
        Self::answering(names, ports, |_| page()).await
    }

    pub(crate) async fn answering(
        names: &[&str],
        ports: &[u16],
        respond: impl Fn(&Request) -> Script + Send + Sync + Clone + 'static,
    ) -> Self {
        Self {
            servers: Everywhere::start(names, ports, respond).await,
            names: Names::new(),
            observer: Observer::start(),
        }
    }

    /// A configuration with these entries of `url_scope`.
    pub(crate) fn config(&self, allow: &[&str], deny: &[&str]) -> Config {
        let mut config = scoped(allow, deny);
        config.url_scope.ca_file = Some(self.servers.ca_file().to_owned());
        config
    }

    /// A host in mode `yolo` with the dialer.
    pub(crate) fn stage(&self, config: Config) -> Stage<'_> {
        let rig = Rig::with_config(
            config,
            |_| {},
            |builder| {
                let resolver: Arc<Names> = Arc::clone(&self.names);
                builder.plugin(rig::guest("dialer")).resolver(resolver)
            },
        );
        Stage { rig, world: self }
    }

    /// What happened since the last look.
    pub(crate) fn seen(&self) -> Seen {
        Seen {
            connects: self.observer.connects().into_iter().map(|to| to.to_string()).collect(),
            asked: self.names.asked(),
            arrived: self.servers.arrived(),
        }
    }

    /// Fails if anything happened since the last look.
    pub(crate) fn is_silent(&self, what: &str) {
        let seen = self.seen();
        assert!(
            seen.connects.is_empty() && seen.asked.is_empty() && seen.arrived.is_empty(),
            "{what}: {seen:?}"
        );
    }
}

/// What happened.
#[derive(Debug)]
pub(crate) struct Seen {
    /// Where connections were attempted.
    pub(crate) connects: Vec<String>,
    /// Names that were looked up.
    pub(crate) asked: Vec<String>,
    pub(crate) arrived: Vec<Arrived>,
}

/// A host in the network.
pub(crate) struct Stage<'a> {
    pub(crate) rig: Rig,
    pub(crate) world: &'a World,
}

impl Stage<'_> {
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Result<Map<String, Value>, CallError> {
        self.rig.call(tool, arguments).await
    }

    /// Calls a tool of the dialer, which reports failures of the host as results.
    pub(crate) async fn dial(&self, tool: &str, arguments: Value) -> Value {
        let shown = arguments.to_string();
        let called = self.call(tool, arguments).await;
        Value::Object(called.unwrap_or_else(|error| panic!("{tool} {shown}: {error}")))
    }

    /// What the gate says of a tool with a URL: the URL as it is judged, or what is said against it.
    pub(crate) fn explain(&self, tool: &str, url: &str) -> Result<String, String> {
        let explained = self.rig.session().explain(tool, json!({ "url": url }));
        let explained = explained.map_err(|error| error.message)?;
        assert_eq!(explained.len(), 1, "{explained:?}");
        let Explanation {
            outcome,
            subject,
            message,
            ..
        } = explained.into_iter().next().unwrap();
        match outcome {
            Outcome::Pass => Ok(subject),
            Outcome::Ask => panic!("nobody is asked in mode yolo: {message:?}"),
            Outcome::Refuse => Err(message.unwrap()),
        }
    }
}

/// A configuration with these entries of `url_scope`, and full grants for `dial_http`.
pub(crate) fn scoped(allow: &[&str], deny: &[&str]) -> Config {
    let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    let mut config = Config::default();
    config.tool_output.digest = false;
    config.url_scope.allow = owned(allow);
    config.url_scope.deny = owned(deny);
    config.url_scope.timeout_seconds = 20;
    config.tools.network.insert("dial_http".to_owned(), owned(&ALL));
    config
}

/// Builds a host of a configuration, and nothing else.
pub(crate) fn build(config: Config) -> Result<Host, BuildError> {
    let root = tempfile::tempdir().unwrap();
    rig::builder(root.path()).mode(Mode::Yolo).config(config).build()
}

/// A call of a tool of the dialer.
pub(crate) fn dialling(tool: &str, arguments: Value) -> Call {
    Call::new(tool, arguments)
}

/// A page.
pub(crate) fn page() -> Script {
    scripts::ok("<title>Here</title>\n", "text/html")
}

/// Fails unless the text has all of these words.
pub(crate) fn says(id: &str, text: &str, words: &[String]) {
    for word in words {
        assert!(text.contains(word.as_str()), "{id}: {word:?} is not in {text:?}");
    }
}

/// Fails if the text has one of these words.
pub(crate) fn is_silent_of(id: &str, text: &str, words: &[String]) {
    for word in words {
        assert!(!text.contains(word.as_str()), "{id}: {word:?} is in {text:?}");
    }
}

/// Whether the dialer's report says that nothing was answered.
pub(crate) fn is_unanswered(report: &Value) -> bool {
    let outcomes = report["outcomes"].as_array().unwrap();
    outcomes.iter().all(|outcome| outcome["status"].is_null())
}
