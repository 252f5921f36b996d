//! Alerts through the real binary, and what it shows of its configuration.

use std::process::Stdio;

use serde_json::{Value, json};
use toolgate_tests::net::{HookServer, HttpProxy, Upstream};
use toolgate_tests::support::{Rpc, Run, Tree, command, share_cache_key};

use crate::stage::audit_text;

/// A project, a configuration and a state directory.
struct Place {
    tree: Tree,
}

impl Place {
    fn new(config: &str) -> Self {
        let tree = Tree::new(&[("config.toml", config)]);
        std::fs::create_dir(tree.root().join("project")).unwrap();
        share_cache_key(&tree.root().join("state"));
        Self { tree }
    }

    fn path(&self, name: &str) -> String {
        self.tree.root().join(name).to_str().unwrap().to_owned()
    }

    fn run(&self, environment: &[(&str, &str)], arguments: &[&str]) -> Run {
        let (project, config) = (self.path("project"), self.path("config.toml"));
        let output = command()
            .current_dir(&project)
            .env("XDG_STATE_HOME", self.path("state"))
            .envs(environment.iter().copied())
            .args(["--root", &project, "--config", &config])
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        Run {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn audit(&self) -> String {
        audit_text(&self.tree.root().join("state/toolgate/audit"))
    }
}

const ALERT: &str = r#"{"target": "ops", "level": "warning", "summary": "disk full", "details": {"host": "db-1"}}"#;

#[test]
fn a_call_delivers_with_what_the_environment_says() {
    let server = HookServer::start([]);
    let place = Place::new(
        "[permissions]\nmode = 'yolo'\n[[alerts.targets]]\nname = 'ops'\ntemplate = 'generic'\nurl_env = 'HOOK'\n\
         allow_http = true\nauth = { bearer_env = 'TOKEN' }\n",
    );
    for (path, token) in [("/one", "first"), ("/two", "second")] {
        let url = server.url(path);
        let done = place.run(&[("HOOK", &url), ("TOKEN", token)], &["call", "alert", ALERT]);
        assert_eq!(done.status, Some(0), "{done:?}");
        let result = done.json();
        assert_eq!(
            (&result["target"], &result["status_code"]),
            (&json!("ops"), &json!(200))
        );
    }
    let requests = server.received();
    let seen: Vec<_> = requests
        .iter()
        .map(|request| (request.path(), request.header("authorization").unwrap()))
        .collect();
    assert_eq!(seen, [("/one", "Bearer first"), ("/two", "Bearer second")]);
    assert_eq!(
        requests[0].json().unwrap(),
        json!({"level": "warning", "summary": "disk full", "details": {"host": "db-1"}})
    );
    // Credentials over plain http are worth a line.
    let url = server.url("/three");
    let done = place.run(&[("HOOK", &url), ("TOKEN", "third")], &["tools"]);
    let lines: Vec<&str> = done.stderr.lines().filter(|line| line.contains("plain http")).collect();
    assert!(lines.len() == 1 && lines[0].contains("ops"), "{done:?}");
    assert!(
        !done.stderr.contains("third") && !done.stderr.contains("three"),
        "{done:?}"
    );
}

#[test]
fn dead_targets_are_a_line_each_and_without_a_live_one_there_is_no_tool() {
    let server = HookServer::start([]);
    let place = Place::new(&format!(
        "[permissions]\nmode = 'yolo'\n\
         [[alerts.targets]]\nname = 'ops'\ntemplate = 'generic'\nurl_env = 'HOOK'\n\
         [[alerts.targets]]\nname = 'night'\ntemplate = 'generic'\nurl = '{}'\nallow_http = true\n\
         auth = {{ bearer_env = 'NIGHT_TOKEN' }}\n",
        server.url("/s3cret-path")
    ));
    let url = server.url("/hook");
    let done = place.run(&[("HOOK", &url), ("NIGHT_TOKEN", " ")], &["call", "alert", ALERT]);
    assert_eq!(done.status, Some(0), "{done:?}");
    let lines: Vec<&str> = done.stderr.lines().filter(|line| line.contains("night")).collect();
    assert!(lines.len() == 1 && lines[0].contains("NIGHT_TOKEN"), "{done:?}");
    assert!(!done.stderr.contains("s3cret-path"), "{done:?}");
    assert_eq!(server.received().len(), 1);

    let done = place.run(&[], &["call", "alert", ALERT]);
    assert_eq!(done.status, Some(1), "{done:?}");
    assert_eq!(done.json()["kind"], "not_found", "{done:?}");
    for (target, variable) in [("ops", "HOOK"), ("night", "NIGHT_TOKEN")] {
        let lines: Vec<&str> = done.stderr.lines().filter(|line| line.contains(variable)).collect();
        assert!(lines.len() == 1 && lines[0].contains(target), "{done:?}");
    }
    assert_eq!(done.stderr.matches("nobody can be alerted").count(), 1, "{done:?}");
    // It never fails the start.
    let done = place.run(&[], &["tools", "--json"]);
    assert_eq!(done.status, Some(0), "{done:?}");
    let names = done.json();
    let names: Vec<&str> = names
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert!(names.contains(&"read_file") && !names.contains(&"alert"), "{names:?}");
    let done = place.run(&[("HOOK", &url)], &["--disable-tools=alert", "call", "alert", ALERT]);
    assert_eq!(done.json()["kind"], "not_found", "{done:?}");
    assert_eq!(server.received().len(), 1);
}

/// The proxies of the environment count only where the configuration says so.
#[test]
fn a_proxy_of_the_environment_needs_the_operators_word() {
    let server = HookServer::start([]);
    let proxy = HttpProxy::start(Upstream::Fixed(server.address()));
    let targets = format!(
        "[[alerts.targets]]\nname = 'ops'\ntemplate = 'generic'\nurl = '{}'\n",
        server.url("/hook")
    );
    let url = proxy.url();
    let environment = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"].map(|name| (name, url.as_str()));
    let nowhere = [("NO_PROXY", ""), ("no_proxy", "")];
    for (setting, through) in [("", 0), ("[url_scope]\nproxy = 'env'\n", 1)] {
        let place = Place::new(&format!("{setting}[permissions]\nmode = 'yolo'\n{targets}"));
        let done = place.run(&[&environment[..], &nowhere].concat(), &["call", "alert", ALERT]);
        assert_eq!(done.status, Some(0), "{done:?}");
        assert_eq!(proxy.targets().len(), through, "{setting}");
    }
    assert_eq!(server.recorder().targets(), ["/hook", "/hook"]);
}

/// Everything that shows a configuration, and a call that logs as much as it can.
#[test]
fn no_command_shows_a_secret() {
    let server = HookServer::start([]);
    let place = Place::new(&format!(
        "[permissions]\nmode = 'yolo'\n\
         [[alerts.targets]]\nname = 'ops'\ntemplate = 'pagerduty_events_v2'\nurl_env = 'HOOK'\nallow_http = true\n\
         auth = {{ bearer_env = 'KEY' }}\n\
         [[alerts.targets]]\nname = 'literal'\ntemplate = 'slack'\nurl = '{}'\n\
         [[alerts.targets]]\nname = 'refused'\ntemplate = 'discord'\nurl = 'http://127.0.0.1:1/s3cret-path'\n\
         [[alerts.targets]]\nname = 'broken'\ntemplate = 'slack'\nurl_env = 'BROKEN'\n",
        server.url("/s3cret-path?sig=s1g-query")
    ));
    let url = server.url("/h00k-path");
    let environment = [
        ("HOOK", url.as_str()),
        ("KEY", "r0uting-key"),
        ("BROKEN", "gopher://hooks.example/br0ken-path"),
        ("TOOLGATE_LOG", "debug"),
    ];
    let to = |target: &str| json!({"target": target, "level": "info", "summary": "s"}).to_string();
    let (ops, literal, refused) = (to("ops"), to("literal"), to("refused"));
    let commands: [(&[&str], Option<i32>); 11] = [
        (&["check"], Some(0)),
        (&["check", "--json"], Some(0)),
        (&["--print-config"], Some(0)),
        (&["--print-config=json"], Some(0)),
        (&["--print-config=toml"], Some(0)),
        (&["config", "schema"], Some(0)),
        (&["tools", "--json"], Some(0)),
        (&["call", "alert", &ops], Some(0)),
        (&["call", "alert", &literal], Some(0)),
        (&["call", "alert", &refused], Some(1)),
        (&["audit", "show", "--json"], Some(0)),
    ];
    let mut said = String::new();
    for (arguments, status) in commands {
        let done = place.run(&environment, arguments);
        assert_eq!(done.status, status, "{arguments:?}: {done:?}");
        said += &format!("{arguments:?}\n{}\n{}\n", done.stdout, done.stderr);
    }
    assert_eq!(
        server.recorder().targets(),
        ["/h00k-path", "/s3cret-path?sig=s1g-query"]
    );
    let audit = place.audit();
    assert_eq!(audit.matches("\"tool\":\"alert\"").count(), 3, "{audit}");
    for secret in [
        "h00k-path",
        "r0uting-key",
        "s3cret-path",
        "s1g-query",
        "br0ken-path",
        "hooks.example",
    ] {
        let lines: Vec<&str> = said.lines().filter(|line| line.contains(secret)).collect();
        assert!(lines.is_empty(), "{secret}: {lines:?}");
        assert!(!audit.contains(secret), "{secret}: {audit}");
    }
    // Names are no secrets: they are how the operator finds the value.
    for shown in ["HOOK", "BROKEN", "literal"] {
        assert!(said.contains(shown), "{shown}: {said}");
    }
}

/// A configuration that cannot be used is told without what is secret in it.
#[test]
fn complaints_show_no_secret() {
    for target in [
        "url = 'ftp://hooks.example/s3cret-path'",
        "url = 'http:///s3cret-path'",
        "url = 'https://joe:s3cret-path@hooks.example/'\nconversation = 'x'",
        "url = 'https://hooks.example/s3cret-path'\nurl_env = 'HOOK'",
        "url = 'https://hooks.example/s3cret-path'\nauth = {}",
    ] {
        let text = format!("[[alerts.targets]]\nname = 'ops'\ntemplate = 'slack'\n{target}\n");
        let place = Place::new(&text);
        for arguments in [&["check"][..], &["check", "--json"], &["tools"]] {
            let done = place.run(&[], arguments);
            assert_eq!(done.status, Some(2), "{target}: {done:?}");
            let said = format!("{}{}", done.stdout, done.stderr);
            assert!(said.contains("alerts.targets[0]"), "{target}: {said}");
            assert!(!said.contains("s3cret-path"), "{target}: {said}");
        }
    }
}

#[test]
fn clients_see_the_live_targets_in_order() {
    let server = HookServer::start([]);
    let place = Place::new(
        "[permissions]\nmode = 'yolo'\n\
         [[alerts.targets]]\nname = 'zulu'\ntemplate = 'slack'\nurl_env = 'HOOK'\ndescription = 'a human, now'\n\
         [[alerts.targets]]\nname = 'gone'\ntemplate = 'slack'\nurl_env = 'NOT_SET'\n\
         [[alerts.targets]]\nname = 'alfa'\ntemplate = 'slack'\nurl_env = 'HOOK'\n",
    );
    let url = server.url("/s3cret-path");
    let state = place.path("state");
    let environment = [("HOOK", url.as_ref()), ("XDG_STATE_HOME", state.as_ref())];
    let mut rpc = Rpc::start_with(
        &environment,
        &place.path("project"),
        &["--config", &place.path("config.toml")],
    );
    rpc.initialise();
    let listed = rpc.request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let tool = tools.iter().find(|tool| tool["name"] == "alert").unwrap();
    let description = tool["description"].as_str().unwrap();
    assert!(description.ends_with("\nzulu: a human, now\nalfa"), "{description}");
    assert_eq!(tool["annotations"]["openWorldHint"], true, "{tool}");
    assert_eq!(tool["annotations"]["readOnlyHint"], false, "{tool}");
    let text = listed.to_string();
    assert!(!text.contains("s3cret-path") && !text.contains("gone"), "{text}");

    let answer = rpc.call("alert", json!({"target": "alfa", "level": "info", "summary": "s"}));
    let result = &answer["result"];
    assert_eq!(result["structuredContent"]["status_code"], 200, "{answer}");
    let answer = rpc.call("alert", json!({"target": "gone", "level": "info", "summary": "s"}));
    let error: &Value = &answer["result"]["structuredContent"];
    assert_eq!(error["kind"], "not_found", "{answer}");
    assert!(error["error"].as_str().unwrap().contains("zulu, alfa"), "{answer}");
    assert_eq!(server.recorder().targets(), ["/s3cret-path"]);
}
