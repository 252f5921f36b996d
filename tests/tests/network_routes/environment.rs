//! N10: what the environment of the process says about the network, with the real binary.

use std::ffi::OsString;
use std::process::Stdio;

use serde_json::{Value, json};
use toolgate_tests::net::{DnsServer, HttpProxy, ScriptServer, SocksProxy, Upstream, listen_canary};
use toolgate_tests::support::{Tree, command};

use crate::stage::echo;

/// The answer of `toolgate call fetch_url` with this configuration and environment.
fn call(config: &str, environment: &[(&str, String)], url: &str) -> Value {
    let tree = Tree::new(&[("config.toml", config)]);
    let file: OsString = tree.root().join("config.toml").into();
    let mut process = command();
    for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
        process.env_remove(name).env_remove(name.to_uppercase());
    }
    process.envs(environment.iter().map(|(name, value)| (*name, value)));
    process
        .args(["call", "--root", tree.text(), "--mode", "yolo", "-c"])
        .arg(file);
    process.arg("fetch_url").arg(json!({"url": url}).to_string());
    let output = process.stdin(Stdio::null()).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

fn scope(lines: &[String]) -> String {
    format!("[url_scope]\n{}\n", lines.join("\n"))
}

/// Every spelling of every variable that names a proxy.
fn everywhere(proxy: &str) -> Vec<(&'static str, String)> {
    let names = [
        "HTTP_PROXY",
        "http_proxy",
        "HTTPS_PROXY",
        "https_proxy",
        "ALL_PROXY",
        "all_proxy",
    ];
    names.iter().map(|name| (*name, proxy.to_owned())).collect()
}

#[test]
fn n10_proxies_of_the_environment_see_nothing_unless_they_are_asked_for() {
    let canary = listen_canary("127.0.0.1:0");
    let server = ScriptServer::start(echo);
    let config = scope(&[format!("allow = ['{}']", server.url(""))]);
    for scheme in ["http", "socks5", "https"] {
        let proxy = format!("{scheme}://user:hunter2@{}", canary.address());
        for no_proxy in ["", "*", "other.test"] {
            let mut environment = everywhere(&proxy);
            environment.push(("NO_PROXY", no_proxy.to_owned()));
            let page = call(&config, &environment, &server.url("/x"));
            assert_eq!(page["body"], "/x", "{page}");
        }
    }
    assert_eq!(canary.connections_seen(), 0);
    let requests = server.recorder().requests();
    assert!(
        requests.len() == 9
            && requests
                .iter()
                .all(|request| request.header("proxy-authorization").is_none())
    );
}

#[test]
fn n10_with_env_they_are_used_and_exceptions_count() {
    let server = ScriptServer::start(echo);
    let proxy = HttpProxy::start(Upstream::Fixed(server.address()));
    let login = proxy.url().replace("http://", "http://user:hunter2@");
    let config = scope(&[
        format!("allow = ['http://far.test', '{}']", server.url("")),
        "proxy = 'env'".to_owned(),
    ]);
    let environment = [("HTTP_PROXY", login.clone()), ("NO_PROXY", "127.0.0.1".to_owned())];
    let page = call(&config, &environment, "http://far.test/x?y");
    assert_eq!(page["body"], "/x?y", "{page}");
    assert!(!page.to_string().contains("hunter2"), "{page}");
    let asked = proxy.recorder().requests();
    assert_eq!(asked[0].target, "http://far.test/x?y");
    assert_eq!(asked[0].header("proxy-authorization"), Some("Basic dXNlcjpodW50ZXIy"));
    // This host is excepted.
    assert_eq!(call(&config, &environment, &server.url("/direct"))["body"], "/direct");
    assert_eq!(proxy.recorder().requests().len(), 1);
    assert_eq!(server.recorder().targets(), ["/x?y", "/direct"]);

    let socks = SocksProxy::start(Upstream::Fixed(server.address()));
    let page = call(&config, &[("ALL_PROXY", socks.url())], "http://far.test/socks");
    assert_eq!(page["body"], "/socks", "{page}");
    assert!(socks.targets()[0].by_name, "{:?}", socks.targets());
}

#[test]
fn n10_resolvers_of_the_environment_are_ignored() {
    let server = ScriptServer::start(echo);
    let port = server.address().port();
    let dns = DnsServer::table(&[("single", &["127.0.0.1".parse().unwrap()])]);
    let aliases = Tree::new(&[("aliases", "single alias.test\n")]);
    let config = scope(&[
        format!("allow = ['http://single:{port}']"),
        format!("nameservers = ['{}']", dns.address()),
    ]);
    let environment = [
        ("LOCALDOMAIN", "corp.test".to_owned()),
        ("RES_OPTIONS", "ndots:15".to_owned()),
        ("HOSTALIASES", format!("{}/aliases", aliases.text())),
    ];
    let page = call(&config, &environment, &format!("http://single:{port}/x"));
    assert_eq!(page["body"], "/x", "{page}");
    assert_eq!(dns.names(), ["single", "single"]);
}

#[test]
fn secrets_of_the_environment_go_where_the_configuration_says_and_nowhere_else() {
    let server = ScriptServer::start(echo);
    let place = server.address().to_string();
    let config = scope(&[
        format!("allow = ['http://{place}']"),
        format!("headers_over_http = ['{place}']"),
        format!("headers = {{ '{place}' = {{ Authorization = 'Bearer $ROUTES_TOKEN' }} }}"),
    ]);
    let environment = [
        ("ROUTES_TOKEN", "hunter2".to_owned()),
        ("ROUTES_OTHER", "hunter3".to_owned()),
    ];
    let page = call(&config, &environment, &server.url("/x"));
    assert_eq!(page["body"], "/x", "{page}");
    assert!(!page.to_string().contains("hunter"), "{page}");
    let request = server.recorder().requests().pop().unwrap();
    assert_eq!(request.header("authorization"), Some("Bearer hunter2"));
    let failed = call(&config, &[], &server.url("/x"));
    assert_eq!(failed["kind"], "invalid_arguments", "{failed}");
    assert!(failed["error"].as_str().unwrap().contains("ROUTES_TOKEN"), "{failed}");
    assert_eq!(server.recorder().connections().len(), 1);
}
