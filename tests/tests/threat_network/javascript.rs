//! A plugin that somebody wrote in JavaScript, with the `fetch` of its engine: no more than its approval gives it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use toolgate::sandbox::inspect_file;
use toolgate::{ErrorKind, Mode};
use toolgate_tests::net::{Request, scripts};
use toolgate_tests::rig::{self, Rig, target};
use tracing::field::{Field, Visit};

use crate::stage::{World, page};

/// What the script exits with where the machine lacks what it needs.
const LACKING: i32 = 3;

/// Builds the plugin; `None`, with a note, where Node.js or its packages cannot be had.
fn plugin() -> Option<PathBuf> {
    let script = target("../scripts/js-plugin.sh");
    let built = Command::new(&script).output().unwrap();
    let stderr = String::from_utf8_lossy(&built.stderr);
    if built.status.code() == Some(LACKING) {
        crate::left_out("the plugin in JavaScript", stderr.trim());
        return None;
    }
    assert!(built.status.success(), "{}: {stderr}", script.display());
    Some(rig::guest("js_fetch"))
}

#[test]
fn its_imports_are_told() {
    let Some(plugin) = plugin() else { return };
    let inspection = inspect_file(&plugin).unwrap();
    let names: Vec<&str> = inspection.imports.iter().map(|import| import.name.as_str()).collect();
    assert!(
        names
            .iter()
            .any(|name| name.starts_with("wasi:http/outgoing-handler@0.2.")),
        "{names:?}"
    );
    for absent in [
        "wasi:sockets",
        "wasi:filesystem",
        "wasi:cli/environment",
        "toolgate:plugin/fetch",
    ] {
        assert!(
            !names.iter().any(|name| name.starts_with(absent)),
            "{absent}: {names:?}"
        );
    }
    assert!(
        inspection.imports.iter().all(|import| import.capability.is_some()),
        "{names:?}"
    );
}

/// Lets a state directory use the compiled code of all tests.
fn share_compiled_code(state: &Path) {
    let key = target("test-state/cache.key");
    if !key.exists() {
        // The first host makes it.
        drop(Rig::new(|_| {}, |builder| builder));
    }
    std::fs::copy(key, state.join("cache.key")).unwrap();
}

/// What the host logs for its operator.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<String>>);

impl Visit for Log {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        let mut text = self.0.lock().unwrap();
        text.push_str(&format!("{field}={value:?} "));
    }
}

impl tracing::Subscriber for Log {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.target().starts_with("toolgate") && *metadata.level() <= tracing::Level::INFO
    }

    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }

    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}

    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        event.record(&mut self.clone());
    }

    fn enter(&self, _: &tracing::span::Id) {}

    fn exit(&self, _: &tracing::span::Id) {}
}

#[tokio::test(flavor = "multi_thread")]
async fn it_reads_what_it_was_granted() {
    let Some(plugin) = plugin() else { return };
    if !crate::namespace::entered(module_path!(), "it_reads_what_it_was_granted") {
        return;
    }
    let log = Log::default();
    tracing::subscriber::set_global_default(log.clone()).unwrap();
    let respond = |request: &Request| match request.path() {
        "/moved" => scripts::redirect(302, "http://page.org/"),
        "/away" => scripts::redirect(302, "http://169.254.169.254/"),
        "/none" => scripts::ok("nothing", "text/html"),
        _ => page(),
    };
    let world = World::answering(&["page.org"], &[80, 443], respond).await;
    world.names.answer({
        let public = world.names.of("page.org");
        move |name| match name {
            "page.org" => Some(vec![public]),
            "private.org" => Some(vec!["10.0.0.1".parse().unwrap()]),
            _ => None,
        }
    });
    let state = tempfile::tempdir().unwrap();
    share_compiled_code(state.path());
    let mut config = world.config(&["http://*.org"], &["denied.org"]);
    config.tools.network.clear();
    config.permissions.deny = vec!["page_title:http://page.org/secret*".to_owned()];
    let rig = Rig::with_config(
        config,
        |_| {},
        |builder| {
            let names: Arc<crate::names::Names> = Arc::clone(&world.names);
            builder
                .plugin(plugin)
                .resolver(names)
                .state_dir(state.path())
                .mode(Mode::Yolo)
        },
    );
    let inspection = rig.host.inspect("page_title").unwrap();
    let http = inspection
        .imports
        .iter()
        .find(|import| import.name.starts_with("wasi:http/outgoing-handler"));
    assert!(http.unwrap().granted, "{:?}", inspection.imports);
    let read = async |url: &str| rig.call("page_title", json!({ "url": url })).await;
    for (url, expected) in [
        ("http://page.org/", json!({"status": 200, "title": "Here"})),
        ("https://page.org/?a=b", json!({"status": 200, "title": "Here"})),
        ("http://page.org/none", json!({"status": 200})),
        // The engine leaves redirects to the program, which reports them.
        ("http://page.org/moved", json!({"status": 302})),
        ("http://page.org/away", json!({"status": 302})),
    ] {
        let result = read(url).await.unwrap_or_else(|error| panic!("{url}: {error}"));
        assert_eq!(Value::from(result), expected, "{url}");
        let seen = world.seen();
        assert_eq!((seen.connects.len(), seen.arrived.len()), (1, 1), "{url}: {seen:?}");
        let request = &seen.arrived[0].request;
        assert_eq!(request.headers_named("host").collect::<Vec<_>>(), ["page.org"], "{url}");
        assert_eq!(request.header("accept"), Some("text/html"), "{url}");
    }
    // The gate.
    for url in [
        "http://page.com/",
        "http://denied.org/",
        "http://page.org/secret/1",
        "http://169.254.169.254/",
        "file:///etc/passwd",
        "http://page.org@169.254.169.254/",
    ] {
        let error = read(url).await.expect_err(url);
        assert!(
            matches!(error.kind, ErrorKind::Denied | ErrorKind::InvalidArguments),
            "{url}: {error}"
        );
        world.is_silent(url);
    }
    // The sandbox: what the name leads to is known only there.
    let error = read("http://private.org/").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unavailable, "{error}");
    assert!(world.seen().connects.is_empty());
    let text = log.0.lock().unwrap().clone();
    assert!(
        text.contains("page_title") && text.contains("10.0.0.1 (private use"),
        "{text}"
    );
    rig.host.flush_audit(Duration::from_secs(10)).unwrap();
    let audit = std::fs::read_to_string(state.path().join("audit/audit.jsonl")).unwrap();
    let last: Value = serde_json::from_str(audit.lines().last().unwrap()).unwrap();
    assert_eq!(last["requests"][0]["failure"], "denied", "{last}");
    assert_eq!(last["requests"][0]["url"], "http://private.org/", "{last}");
}
