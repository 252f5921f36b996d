//! Deny rules of the gate hold at every hop, as for the URL of the call.

use toolgate::{Call, ErrorKind};
use toolgate_tests::net::{HttpProxy, ScriptServer, Upstream, listen_canary, scripts};
use toolgate_tests::rig::guest;

use crate::stage::{Stage, echo, fetch, owned, pinned};

#[tokio::test]
async fn a_rule_stops_a_hop_by_host_by_url_and_by_part() {
    let target = ScriptServer::start(echo);
    let port = target.address().port();
    let server = ScriptServer::start(move |request| {
        let path = request.target.replacen("/to", "", 1);
        scripts::redirect(302, &format!("http://B.test.:{port}{path}"))
    });
    let start = format!("http://a.test:{}/to", server.address().port());
    let allow = [pinned("a.test", server.address()), pinned("b.test", target.address())];
    let cases = [
        (format!("fetch_url:b.test:{port}/*"), "/any", true),
        (format!("fetch_url:http://b.test:{port}/*"), "/any", true),
        (format!("fetch_url:http://b.test:{port}/secret*"), "/secret/x", true),
        (format!("fetch_url:http://b.test:{port}/secret*"), "/open", false),
        ("fetch_url:*b.test*".to_owned(), "/any", true),
        ("tool.fetch_url:*b.test*/secret?x=*".to_owned(), "/secret?x=1", true),
        ("*b.test*".to_owned(), "/any", true),
        ("fetch_url:https://b.test/*".to_owned(), "/open", false),
        ("read_file:*b.test*".to_owned(), "/open", false),
    ];
    for (rule, path, stopped) in cases {
        let before = target.recorder().connections().len();
        let stage = Stage::new(|config| {
            config.url_scope.allow = allow.to_vec();
            config.permissions.deny = vec![rule.clone()];
        });
        let url = format!("{start}{path}");
        if stopped {
            let words = ["redirect 1", "b.test", rule.as_str(), "permissions.deny[0]"];
            let message = stage.refused(&url, ErrorKind::Denied, &words).await;
            assert!(!message.contains("x=1"), "no query in messages: {message}");
        } else {
            assert_eq!(stage.body(&url).await, path, "{rule}");
        }
        let after = target.recorder().connections().len();
        assert_eq!(after - before, usize::from(!stopped), "{rule}");
    }
}

#[tokio::test]
async fn a_rule_for_a_host_stops_a_hop_to_its_default_port() {
    // The proxy leads any name to the one server, so that ports need not be free.
    let server = ScriptServer::start(|request| match request.header("host") {
        Some("a.test") => scripts::redirect(302, "http://b.test/page"),
        _ => echo(request),
    });
    let proxy = HttpProxy::start(Upstream::Fixed(server.address()));
    let stage = |deny: &[&str]| {
        let deny = owned(deny);
        Stage::new(|config| {
            config.url_scope.allow = owned(&["http://*.test"]);
            config.url_scope.proxy = proxy.url();
            config.permissions.deny = deny;
        })
    };
    assert_eq!(stage(&[]).body("http://a.test/").await, "/page");
    let words = ["redirect 1", "b.test", "fetch_url:b.test/*"];
    let denied = stage(&["fetch_url:b.test/*"]);
    denied.refused("http://a.test/", ErrorKind::Denied, &words).await;
    denied
        .refused("http://b.test/", ErrorKind::Denied, &["fetch_url:b.test/*"])
        .await;
    let hosts: Vec<String> = proxy.targets().into_iter().map(|target| target.host).collect();
    assert_eq!(hosts, ["a.test", "b.test", "a.test"]);
}

#[tokio::test]
async fn a_rule_that_a_session_adds_holds_too() {
    let canary = listen_canary("127.0.0.1:0");
    let location = format!("http://{}/", canary.address());
    let server = ScriptServer::start(move |_| scripts::redirect(302, &location));
    let stage = Stage::allowing(&[&server.url(""), &format!("http://{}", canary.address())]);
    let session = stage.rig.session();
    session.deny(&format!("fetch_url:{}/*", canary.address())).unwrap();
    let error = fetch(&session, &server.url("/")).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Denied);
    assert!(error.message.contains("redirect 1"), "{error:?}");
    assert_eq!(canary.connections_seen(), 0);
}

#[tokio::test]
async fn a_rule_for_one_tool_is_not_one_for_another() {
    let target = ScriptServer::start(echo);
    let location = target.url("/there");
    let server = ScriptServer::start(move |_| scripts::redirect(302, &location));
    let stage = Stage::built(
        |config| {
            config.url_scope.allow = owned(&[&server.url(""), &target.url("")]);
            config.permissions.deny = vec![format!("dial_fetch:{}*", target.url(""))];
        },
        |builder| builder.plugin(guest("dialer")),
    );
    assert_eq!(stage.body(&server.url("/")).await, "/there");
    let call = Call::new("dial_fetch", serde_json::json!({"url": server.url("/")}));
    let report = stage.rig.session().call(call).await.unwrap().value;
    assert_eq!(report["counts"]["denied"], 1, "{report:?}");
    assert_eq!(target.recorder().requests().len(), 1);
}
