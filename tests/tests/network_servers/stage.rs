//! A host whose URL scope holds exactly the servers of a test.

use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use toolgate::{Call, CallError, Config, ErrorKind, Mode, Resolve, ResolveError, Resolved, Session};
use toolgate_tests::net::{Script, ScriptServer, scripts};
use toolgate_tests::rig::{Rig, guest};

use crate::measure;

/// How long something may take that should happen at once, on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// The path of a proper page on every [`site`].
pub(crate) const GOOD: &str = "/good";

/// A host, and one session in which everything happens, so that one call can spoil what the next one finds.
pub(crate) struct Stage {
    pub(crate) rig: Rig,
    session: Session,
    good: ScriptServer,
    _turn: Option<measure::Together>,
}

impl Stage {
    /// A host that may reach the origins of these URLs, each by an entry of its own.
    pub(crate) fn new(urls: &[String]) -> Self {
        Self::with(urls, |_| ())
    }

    /// The same with further configuration.
    pub(crate) fn with(urls: &[String], configure: impl FnOnce(&mut Config)) -> Self {
        let turn = measure::together();
        Self {
            _turn: Some(turn),
            ..Self::alone(urls, configure)
        }
    }

    /// The same for a test that already has the process for itself.
    pub(crate) fn alone(urls: &[String], configure: impl FnOnce(&mut Config)) -> Self {
        let good = site(Vec::new());
        let mut config = Config::default();
        config.tool_output.digest = false;
        // Whatever ends a request here shall be its own limit.
        config.limits.deadline_seconds = 120.0;
        config.url_scope.allow = urls.iter().map(|url| origin(url).to_owned()).collect();
        config.url_scope.allow.push(origin(&good.url("/")).to_owned());
        configure(&mut config);
        let rig = Rig::with_config(
            config,
            |_| (),
            |builder| {
                let builder = builder.mode(Mode::Yolo).resolver(Arc::new(Loopback));
                builder.plugin(guest("dialer"))
            },
        );
        let session = rig.session();
        Self {
            rig,
            session,
            good,
            _turn: None,
        }
    }

    /// A host that believes the authority of this file, besides those of the system.
    pub(crate) fn believing(urls: &[String], ca_file: &Path) -> Self {
        Self::with(urls, |config| config.url_scope.ca_file = Some(ca_file.to_owned()))
    }

    /// A call in the session.
    pub(crate) fn call(&self, tool: &str, arguments: Value) -> Result<Map<String, Value>, CallError> {
        let called = self.session.call_blocking(Call::new(tool, arguments));
        called.map(|result| result.value)
    }

    /// `fetch_url` with nothing but the URL.
    pub(crate) fn fetch(&self, url: &str) -> Result<Map<String, Value>, CallError> {
        self.call("fetch_url", json!({"url": url}))
    }

    /// How it ended, and how long it took.
    pub(crate) fn timed(&self, url: &str) -> (Result<Map<String, Value>, CallError>, Duration) {
        let begun = Instant::now();
        let ended = self.fetch(url);
        (ended, begun.elapsed())
    }

    /// `fetch_url`, which must succeed.
    pub(crate) fn page(&self, url: &str) -> Map<String, Value> {
        self.page_with(json!({"url": url}))
    }

    /// The same with these arguments.
    pub(crate) fn page_with(&self, arguments: Value) -> Map<String, Value> {
        let called = self.call("fetch_url", arguments.clone());
        called.unwrap_or_else(|error| panic!("{arguments}: {error}"))
    }

    /// Fetches a URL that must fail in this way, with a message that names the host, says all of this and shows
    /// nothing that a terminal would act upon. Afterwards the host must be well.
    pub(crate) fn refuses(&self, url: &str, kind: ErrorKind, says: &[&str]) -> CallError {
        let error = match self.fetch(url) {
            Ok(page) => panic!("{url} was fetched: {}", short(&Value::Object(page).to_string())),
            Err(error) => error,
        };
        told(url, &error, kind, says);
        self.is_well();
        error
    }

    /// A proper page comes as it should.
    pub(crate) fn is_well(&self) {
        self.is_well_at(&self.good.url(GOOD));
    }

    /// A proper page of this site comes as it should.
    pub(crate) fn is_well_at(&self, url: &str) {
        let page = self.page(url);
        assert_eq!(
            (&page["status"], &page["body"]),
            (&json!(200), &json!("good\n")),
            "{url}"
        );
    }
}

/// Checks a failure: its kind, and that its message names the host and says all of this.
pub(crate) fn told(url: &str, error: &CallError, kind: ErrorKind, says: &[&str]) {
    let message = &error.message;
    assert_eq!(error.kind, kind, "{url}: {message}");
    let host = origin(url).rsplit('/').next().unwrap();
    let named = message.contains(host) || message.contains(host.split(':').next().unwrap());
    assert!(named, "{url}: {message:?} does not name {host}");
    for part in says {
        assert!(message.contains(part), "{url}: {message:?} does not say {part:?}");
    }
    assert!(message.len() < 1000, "{url}: {} bytes of message", message.len());
    assert!(!message.contains(char::is_control), "{url}: {message:?}");
}

/// A server with these pages, and [`GOOD`] beside them.
pub(crate) fn site(pages: Vec<(&'static str, Script)>) -> ScriptServer {
    ScriptServer::start(answering(pages))
}

/// What such a server answers.
pub(crate) fn answering(
    pages: Vec<(&'static str, Script)>,
) -> impl Fn(&toolgate_tests::net::Request) -> Script + Send + Sync + 'static {
    move |request| {
        let page = pages.iter().find(|(path, _)| *path == request.path());
        match page {
            Some((_, script)) => script.clone(),
            None if request.path() == GOOD => scripts::ok("good\n", "text/plain"),
            None => scripts::status(404, "not found\n"),
        }
    }
}

/// Scheme, host and port of a URL with a path.
pub(crate) fn origin(url: &str) -> &str {
    let host = url.find("://").unwrap() + 3;
    let path = url[host..].find('/').map_or(url.len(), |path| host + path);
    &url[..path]
}

/// The first characters of a text.
pub(crate) fn short(text: &str) -> String {
    text.chars().take(300).collect()
}

/// Names below `test` lead to 127.0.0.1. About `silent.test` nothing is ever heard, and other names do not exist.
struct Loopback;

impl Resolve for Loopback {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolved<'a> {
        Box::pin(async move {
            match name {
                "silent.test" => std::future::pending().await,
                _ if name.ends_with(".test") => Ok(vec![IpAddr::V4(Ipv4Addr::LOCALHOST)]),
                _ => Err(ResolveError::NotFound),
            }
        })
    }
}
