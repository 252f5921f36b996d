//! Hosts whose requests end at servers of the test.

use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value, json};
use toolgate::{Call, CallError, Config, ErrorKind, HostBuilder, Session};
use toolgate_tests::net::{DnsServer, Request, Script, scripts};
use toolgate_tests::rig::{Rig, target};

/// How long a test waits for what must happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// What a call ends with.
pub(crate) type Fetched = Result<Map<String, Value>, CallError>;

/// A host with a log of its own.
pub(crate) struct Stage {
    pub(crate) rig: Rig,
    state: tempfile::TempDir,
}

impl Stage {
    /// In mode yolo, with these entries of `url_scope.allow`.
    pub(crate) fn allowing(entries: &[&str]) -> Self {
        Self::new(|config| config.url_scope.allow = owned(entries))
    }

    /// The same where these name servers are asked.
    pub(crate) fn asking(dns: &DnsServer, entries: &[&str]) -> Self {
        Self::new(|config| {
            config.url_scope.allow = owned(entries);
            config.url_scope.nameservers = vec![dns.address().to_string()];
        })
    }

    /// In mode yolo.
    pub(crate) fn new(set: impl FnOnce(&mut Config)) -> Self {
        Self::built(set, |builder| builder)
    }

    /// In mode yolo, unless `build` sets another one.
    pub(crate) fn built(set: impl FnOnce(&mut Config), build: impl FnOnce(HostBuilder) -> HostBuilder) -> Self {
        let mut config = Config::default();
        config.tool_output.digest = false;
        set(&mut config);
        let state = state();
        let rig = Rig::with_config(config, |_| {}, |builder| build(builder.state_dir(folder(&state))));
        Self { rig, state }
    }

    /// A request in a session of its own.
    pub(crate) async fn fetch(&self, url: &str) -> Fetched {
        fetch(&self.rig.session(), url).await
    }

    /// The body of a page that must come.
    pub(crate) async fn body(&self, url: &str) -> String {
        let page = self.fetch(url).await.unwrap_or_else(|error| panic!("{url}: {error:?}"));
        assert_eq!(page["status"], 200, "{url}: {page:?}");
        page["body"].as_str().unwrap().to_owned()
    }

    /// The message of a request that must fail in this way and say these words.
    pub(crate) async fn refused(&self, url: &str, kind: ErrorKind, words: &[&str]) -> String {
        let error = match self.fetch(url).await {
            Err(error) => error,
            Ok(page) => panic!("{url}: {page:?}"),
        };
        assert_eq!(error.kind, kind, "{url}: {}", error.message);
        for word in words {
            assert!(error.message.contains(word), "{url}: {word:?}: {}", error.message);
        }
        error.message
    }

    /// The calls in the log, oldest first.
    pub(crate) fn records(&self) -> Vec<Value> {
        let lines = self.log();
        let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter(|line| line["event"].is_null()).collect()
    }

    /// The requests of the only call in the log.
    pub(crate) fn requests(&self) -> Vec<Value> {
        let records = self.records();
        assert_eq!(records.len(), 1, "{records:#?}");
        records[0]["requests"].as_array().cloned().unwrap_or_default()
    }

    /// The whole log.
    pub(crate) fn log(&self) -> String {
        self.rig.host.flush_audit(PATIENCE).unwrap();
        fs::read_to_string(folder(&self.state).join("audit/audit.jsonl")).unwrap()
    }
}

/// A request in this session.
pub(crate) async fn fetch(session: &Session, url: &str) -> Fetched {
    let done = session.call(Call::new("fetch_url", json!({"url": url}))).await;
    done.map(|result| result.value)
}

/// Strings of a configuration.
pub(crate) fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// The entry that admits a plain server under a name, and pins where the name leads.
pub(crate) fn pinned(name: &str, server: SocketAddr) -> String {
    format!("http://{name}:{}={}", server.port(), server.ip())
}

/// A page that says what was asked for.
pub(crate) fn echo(request: &Request) -> Script {
    scripts::ok(&request.target, "text/plain")
}

/// A state directory that shares the compiled code of all tests.
fn state() -> tempfile::TempDir {
    let shared = target("test-state/cache.key");
    if !shared.exists() {
        // The first host makes it.
        drop(Rig::new(|_| {}, |builder| builder));
    }
    let state = tempfile::tempdir().unwrap();
    let folder = folder(&state);
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, PermissionsExt::from_mode(0o700)).unwrap();
    // Copying keeps the mode, without which the key would be refused.
    fs::copy(shared, folder.join("cache.key")).unwrap();
    state
}

fn folder(state: &tempfile::TempDir) -> std::path::PathBuf {
    Path::join(state.path(), "toolgate")
}
