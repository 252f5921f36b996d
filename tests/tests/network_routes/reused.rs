//! Connections that wait for a request: when they have gone, and when they must not be used any more.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use toolgate::config::Effective;
use toolgate::{Call, Config, ErrorKind};
use toolgate_tests::net::{
    Answer, Authority, DnsServer, Http2Server, HttpProxy, Request, Script, ScriptServer, Step, Upstream, scripts,
};
use toolgate_tests::rig::guest;

use crate::stage::{PATIENCE, Stage, echo, fetch, owned};

/// Answers the first request of a connection, and plays this for the later ones.
fn then(later: impl Fn(&Request) -> Script + Send + Sync + 'static) -> ScriptServer {
    let seen: Mutex<HashMap<usize, usize>> = Mutex::default();
    ScriptServer::start(move |request| {
        let mut seen = seen.lock().unwrap();
        let count = seen.entry(request.connection).or_default();
        *count += 1;
        match *count {
            1 => echo(request),
            _ => later(request),
        }
    })
}

#[tokio::test]
async fn a_connection_that_was_closed_while_it_waited_is_replaced() {
    let server = ScriptServer::start(|request| [echo(request), vec![Step::Close]].concat());
    let stage = Stage::allowing(&[&server.url("")]);
    let session = stage.rig.session();
    for round in 0..4 {
        let path = format!("/{round}");
        assert_eq!(fetch(&session, &server.url(&path)).await.unwrap()["body"], path);
    }
    assert_eq!(server.recorder().targets(), ["/0", "/1", "/2", "/3"]);
    assert_eq!(server.recorder().connections().len(), 4);
}

#[tokio::test]
async fn a_get_that_a_closing_connection_swallowed_is_sent_once_more() {
    for end in [Step::Close, Step::Cut, Step::Reset] {
        let last = end.clone();
        let server = then(move |_| vec![last.clone()]);
        let stage = Stage::allowing(&[&server.url("")]);
        let session = stage.rig.session();
        for path in ["/first", "/second"] {
            let page = fetch(&session, &server.url(path)).await;
            assert_eq!(page.unwrap_or_else(|error| panic!("{end:?}: {error:?}"))["body"], path);
        }
        let made = server.recorder().requests();
        let made: Vec<_> = made
            .iter()
            .map(|request| (request.connection, request.target.as_str()))
            .collect();
        assert_eq!(made, [(0, "/first"), (0, "/second"), (1, "/second")], "{end:?}");
    }
}

#[tokio::test]
async fn a_server_that_never_answers_is_not_asked_for_ever() {
    let server = ScriptServer::start(|request| match request.path() {
        "/fine" => echo(request),
        _ => vec![Step::Close],
    });
    let stage = Stage::allowing(&[&server.url("")]);
    let session = stage.rig.session();
    fetch(&session, &server.url("/fine")).await.unwrap();
    let error = fetch(&session, &server.url("/nothing")).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unavailable, "{error:?}");
    assert_eq!(server.recorder().targets(), ["/fine", "/nothing", "/nothing"]);
    // On a fresh connection there is no reason to try again.
    stage
        .refused(
            &server.url("/other"),
            ErrorKind::Unavailable,
            &["closed the connection"],
        )
        .await;
    assert_eq!(server.recorder().targets().len(), 4);
}

#[tokio::test]
async fn an_answer_that_had_begun_is_not_asked_for_again() {
    let server = then(|_| scripts::truncated_body("part", 100));
    let stage = Stage::allowing(&[&server.url("")]);
    let session = stage.rig.session();
    fetch(&session, &server.url("/first")).await.unwrap();
    let error = fetch(&session, &server.url("/second")).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unavailable, "{error:?}");
    assert_eq!(server.recorder().targets(), ["/first", "/second"]);
}

#[tokio::test]
async fn only_what_is_safe_is_sent_again() {
    let cases = [
        (json!({"method": "POST", "body": "order"}), 1),
        (json!({"method": "POST"}), 1),
        (json!({"method": "DELETE"}), 1),
        (json!({"method": "PUT", "body": ""}), 1),
        (json!({"method": "GET"}), 2),
        (json!({"method": "HEAD"}), 2),
    ];
    for (arguments, times) in cases {
        let server = then(|_| vec![Step::Close]);
        let place = server.url("");
        let stage = Stage::built(
            |config| {
                config.url_scope.allow = owned(&[&place]);
                config.tools.network = BTreeMap::from([("dial_http".to_owned(), owned(&[&place]))]);
            },
            |builder| builder.plugin(guest("dialer")),
        );
        let session = stage.rig.session();
        let dial = |mut arguments: Value, path: &str| {
            arguments["url"] = server.url(path).into();
            let session = session.clone();
            async move { session.call(Call::new("dial_http", arguments)).await.unwrap().value }
        };
        let warm = dial(json!({}), "/warm").await;
        assert_eq!(warm["counts"]["200"], 1, "{warm:?}");
        dial(arguments.clone(), "/again").await;
        let again = server
            .recorder()
            .targets()
            .into_iter()
            .filter(|target| target == "/again")
            .count();
        assert_eq!(again, times, "{arguments}");
        assert_eq!(server.recorder().requests()[1].connection, 0, "{arguments}");
    }
}

#[tokio::test]
async fn a_connection_of_http2_that_says_goodbye_is_replaced() {
    let authority = Authority::new();
    let server = Http2Server::start(&authority.certificate(&["127.0.0.1"]));
    let stage = Stage::new(|config| {
        config.url_scope.allow = owned(&[&server.address().to_string()]);
        config.url_scope.ca_file = Some(authority.pem_file().to_owned());
    });
    let session = stage.rig.session();
    for _ in 0..2 {
        fetch(&session, &server.url("/echo")).await.unwrap();
        let cut = fetch(&session, &server.url("/goaway")).await;
        assert_eq!(cut.unwrap_err().kind, ErrorKind::Unavailable);
    }
    fetch(&session, &server.url("/echo")).await.unwrap();
    assert_eq!(server.recorder().connections().len(), 3);
}

/// The configuration of a stage with these lists.
fn config(dns: &DnsServer, allow: &[&str], deny: &[&str]) -> Config {
    let mut config = Config::default();
    config.tool_output.digest = false;
    config.url_scope.allow = owned(allow);
    config.url_scope.deny = owned(deny);
    config.url_scope.nameservers = vec![dns.address().to_string()];
    config
}

#[tokio::test]
async fn a_connection_to_an_address_that_is_no_longer_admitted_is_not_used() {
    let one = ScriptServer::start(|_| scripts::ok("1", "text/plain"));
    let port = one.address().port();
    let two = ScriptServer::start_at(("127.0.0.2", port), |_| scripts::ok("2", "text/plain"));
    let moved = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&moved);
    let dns = DnsServer::start(move |question| {
        let address: IpAddr = [127, 0, 0, if asked.load(Ordering::Relaxed) { 2 } else { 1 }].into();
        Answer::addresses(question, &[address])
    });
    let entry = format!("http://a.test:{port}");
    let url = format!("http://a.test:{port}/");
    let before = config(&dns, &[&entry], &[]);
    let changes = [
        ("denied", config(&dns, &[&entry], &["127.0.0.1"])),
        ("pinned elsewhere", config(&dns, &[&format!("{entry}=127.0.0.2")], &[])),
    ];
    for (change, after) in changes {
        moved.store(false, Ordering::Relaxed);
        let stage = Stage::new(|config| *config = before.clone());
        let session = stage.rig.session();
        let opened = one.recorder().connections().len();
        for _ in 0..2 {
            assert_eq!(fetch(&session, &url).await.unwrap()["body"], "1", "{change}");
        }
        assert_eq!(one.recorder().connections().len(), opened + 1);
        moved.store(true, Ordering::Relaxed);
        // What waits is used as long as it is admitted.
        assert_eq!(fetch(&session, &url).await.unwrap()["body"], "1", "{change}");
        let effective = Effective {
            config: after,
            ..Effective::default()
        };
        stage.rig.host.reload(effective).unwrap();
        assert_eq!(fetch(&session, &url).await.unwrap()["body"], "2", "{change}");
        one.recorder().wait_for_end(opened + 1, PATIENCE);
    }
    // Where nothing is admitted any more, nothing is sent, whatever waits.
    for allow in ["http://other.test", "http://*.test:*"] {
        moved.store(false, Ordering::Relaxed);
        let stage = Stage::new(|config| *config = before.clone());
        let session = stage.rig.session();
        fetch(&session, &url).await.unwrap();
        let made = one.recorder().requests().len();
        let effective = Effective {
            config: config(&dns, &[allow], &[]),
            ..Effective::default()
        };
        stage.rig.host.reload(effective).unwrap();
        let error = fetch(&session, &url).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Denied, "{allow}: {error:?}");
        assert_eq!(one.recorder().requests().len(), made, "{allow}");
    }
    assert_eq!(two.recorder().requests().len(), 2);
}

#[tokio::test]
async fn what_is_configured_anew_counts_for_connections_that_wait_too() {
    let server = ScriptServer::start(echo);
    let port = server.address().port();
    let dns = DnsServer::table(&[("a.test", &[[127, 0, 0, 1].into()])]);
    let entry = format!("http://a.test:{port}");
    let url = format!("http://a.test:{port}/x");
    let stage = Stage::new(|config| *config = self::config(&dns, &[&entry], &[]));
    let session = stage.rig.session();
    let reload = |config: Config| {
        let effective = Effective {
            config,
            ..Effective::default()
        };
        stage.rig.host.reload(effective).unwrap();
    };
    fetch(&session, &url).await.unwrap();

    // Headers are of the request, not of the connection.
    let mut headed = config(&dns, &[&entry], &[]);
    headed.url_scope.headers = crate::bundles::bundles(&[(&format!("a.test:{port}"), "X-Key", "new")]);
    headed.url_scope.headers_over_http = vec![format!("a.test:{port}")];
    reload(headed);
    fetch(&session, &url).await.unwrap();
    let requests = server.recorder().requests();
    assert_eq!((requests[1].connection, requests[1].header("x-key")), (0, Some("new")));

    // A proxy is a way of its own, in both directions.
    let proxy = HttpProxy::start(Upstream::Fixed(server.address()));
    let mut through = config(&dns, &[&entry], &[]);
    through.url_scope.proxy = proxy.url();
    reload(through);
    fetch(&session, &url).await.unwrap();
    assert_eq!(proxy.targets().len(), 1);
    reload(config(&dns, &[&entry], &[]));
    fetch(&session, &url).await.unwrap();
    assert_eq!(proxy.targets().len(), 1);
    let connections: Vec<usize> = server
        .recorder()
        .requests()
        .iter()
        .map(|made| made.connection)
        .collect();
    assert_eq!(connections, [0, 0, 1, 0]);

    // Other name servers are asked from the next connection on.
    let other = DnsServer::table(&[("a.test", &[[127, 0, 0, 1].into()])]);
    let asked = dns.names().len();
    reload(config(&other, &[&entry], &[]));
    stage.body(&url).await;
    assert_eq!((dns.names().len(), other.names().len()), (asked, 2));
}
