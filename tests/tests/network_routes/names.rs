//! Names: what is asked of the name server, how often, and what is never asked.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use toolgate::ErrorKind;
use toolgate_tests::net::{Answer, DnsServer, QueryType, Record, ScriptServer, listen_canary, scripts};

use crate::stage::{Stage, echo, fetch, pinned};

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const HERE_SIX: IpAddr = IpAddr::V6(Ipv6Addr::LOCALHOST);

fn entry(name: &str, port: u16) -> String {
    format!("http://{name}:{port}")
}

#[tokio::test]
async fn n03_a_connection_takes_one_question_for_each_family() {
    let server = ScriptServer::start(echo);
    let port = server.address().port();
    let dns = DnsServer::table(&[("a.test", &[HERE])]);
    let stage = Stage::asking(&dns, &[&entry("a.test", port)]);
    let url = format!("http://a.test:{port}/");
    for connections in 1..=3 {
        stage.body(&url).await;
        let mut kinds: Vec<_> = dns
            .questions()
            .iter()
            .map(|question| format!("{:?}", question.kind))
            .collect();
        kinds.sort();
        let expected: Vec<_> = ["A", "Aaaa"]
            .iter()
            .flat_map(|kind| vec![(*kind).to_owned(); connections])
            .collect();
        assert_eq!(kinds, expected);
        assert_eq!(server.recorder().connections().len(), connections);
    }
    // The second request of a session goes over the connection that is there.
    let session = stage.rig.session();
    for _ in 0..3 {
        fetch(&session, &url).await.unwrap();
    }
    assert_eq!(dns.questions().len(), 2 * 4);
    assert!(dns.names().iter().all(|name| name == "a.test"), "{:?}", dns.names());
    assert!(dns.questions().iter().all(|question| !question.tcp));
}

#[tokio::test]
async fn names_are_asked_for_as_they_are_judged() {
    let server = ScriptServer::start(echo);
    let port = server.address().port();
    let dns = DnsServer::start(|question| Answer::addresses(question, &[HERE]));
    let stage = Stage::asking(
        &dns,
        &[
            &entry("a.test", port),
            &entry("b\u{fc}cher.test", port),
            &entry("single", port),
        ],
    );
    for (written, asked) in [
        ("a.test", "a.test"),
        ("a.test.", "a.test"),
        ("A.TEST", "a.test"),
        ("\u{ff41}.test", "a.test"),
        ("a\u{3002}test", "a.test"),
        ("b\u{fc}cher.test", "xn--bcher-kva.test"),
        // No search list applies, whatever it is on this machine.
        ("single", "single"),
    ] {
        let before = dns.names().len();
        stage.body(&format!("http://{written}:{port}/")).await;
        assert_eq!(dns.names()[before..], [asked, asked], "{written}");
    }
}

#[tokio::test]
async fn either_family_is_enough() {
    let four = ScriptServer::start(echo);
    let six = ScriptServer::start_at("[::1]:0", echo);
    let dns = DnsServer::table(&[
        ("four.test", &[HERE]),
        ("six.test", &[HERE_SIX]),
        ("both.test", &[HERE, HERE_SIX]),
    ]);
    let (port, port_of_six) = (four.address().port(), six.address().port());
    let places = [
        ("four.test", port),
        ("six.test", port_of_six),
        ("both.test", port),
        ("both.test", port_of_six),
    ];
    let entries: Vec<String> = places.iter().map(|(name, port)| entry(name, *port)).collect();
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    let stage = Stage::asking(&dns, &entries);
    for (name, port) in places {
        assert_eq!(
            stage.body(&format!("http://{name}:{port}/x")).await,
            "/x",
            "{name}:{port}"
        );
    }
    assert_eq!(
        (four.recorder().requests().len(), six.recorder().requests().len()),
        (2, 2)
    );
}

#[tokio::test]
async fn pins_are_dialled_without_a_question() {
    let server = ScriptServer::start(echo);
    let canary = listen_canary(("127.0.0.2", server.address().port()));
    let elsewhere = canary.address().ip();
    let dns = DnsServer::start(move |question| Answer::addresses(question, &[elsewhere]));
    let stage = Stage::asking(&dns, &[&pinned("a.test", server.address())]);
    let session = stage.rig.session();
    for path in ["/x", "/y"] {
        let url = format!("http://a.test:{}{path}", server.address().port());
        assert_eq!(stage.body(&url).await, path);
        fetch(&session, &url).await.unwrap();
    }
    assert_eq!(dns.names(), [""; 0]);
    assert_eq!(canary.connections_seen(), 0);
    // Pins hold for the port of their entry; on another one the name is like any other.
    let other = ScriptServer::start(echo);
    let wide = Stage::asking(&dns, &[&pinned("a.test", server.address()), "http://*:*"]);
    let url = format!("http://a.test:{}/", other.address().port());
    wide.refused(&url, ErrorKind::Denied, &["a.test", "127.0.0.2"]).await;
    assert_eq!(dns.names(), ["a.test", "a.test"]);
}

#[tokio::test]
async fn n13_names_that_are_not_admitted_are_never_asked_for() {
    let server = ScriptServer::start(|request| match request.query() {
        Some(host) => scripts::redirect(302, &format!("http://{host}/")),
        None => echo(request),
    });
    let port = server.address().port();
    let dns = DnsServer::start(|question| Answer::addresses(question, &[HERE]));
    let stage = Stage::new(|config| {
        config.url_scope.allow = vec![server.url(""), entry("a.test", port), "http://*.b.test".to_owned()];
        config.url_scope.deny = vec![
            "no.b.test".to_owned(),
            "*.deep.b.test".to_owned(),
            "evil.test".to_owned(),
        ];
        config.url_scope.nameservers = vec![dns.address().to_string()];
        config.permissions.deny = vec!["fetch_url:ruled.b.test/*".to_owned()];
    });
    let secret = "c2VjcmV0".repeat(7);
    let hosts = [
        "other.test".to_owned(),
        format!("{secret}.a.test:{port}"),
        format!("{secret}.{secret}.a.test"),
        format!("a.test:{}", port ^ 1),
        "a.test".to_owned(),
        "b.test".to_owned(),
        "no.b.test".to_owned(),
        "NO.b.test.".to_owned(),
        "x.deep.b.test".to_owned(),
        "ruled.b.test".to_owned(),
        "evil.test".to_owned(),
        "metadata.google.internal".to_owned(),
        "metadata.goog".to_owned(),
        "instance-data".to_owned(),
        "169.254.169.254".to_owned(),
        "127.0.0.2".to_owned(),
        "[fe80::1%25eth0]".to_owned(),
        "2130706433".to_owned(),
        "a..b.test".to_owned(),
        format!("{}.b.test", "x".repeat(64)),
    ];
    for host in &hosts {
        let error = stage.fetch(&format!("http://{host}/")).await.unwrap_err();
        assert!(
            matches!(error.kind, ErrorKind::Denied | ErrorKind::InvalidArguments),
            "{host}: {error:?}"
        );
        let error = stage.fetch(&server.url(&format!("/?{host}"))).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Denied, "{host}: {error:?}");
    }
    assert_eq!(dns.names(), [""; 0]);
    assert_eq!(server.recorder().requests().len(), hosts.len());

    // Nor are the names of metadata services where everything is admitted.
    let open = Stage::asking(&dns, &["http://*:*", "*:*", "http://metadata.google.internal"]);
    for host in [
        "metadata.google.internal",
        "Metadata.Google.Internal.",
        "x.metadata.goog",
        "instance-data",
    ] {
        for scheme in ["http", "https"] {
            open.refused(&format!("{scheme}://{host}/"), ErrorKind::Denied, &["metadata"])
                .await;
        }
    }
    assert_eq!(dns.names(), [""; 0]);
}

#[tokio::test]
async fn an_answer_too_long_for_udp_is_asked_for_again_over_tcp() {
    let server = ScriptServer::start(echo);
    let port = server.address().port();
    let dns = DnsServer::start(|question| Answer::addresses(question, &[HERE]).only_tcp());
    let stage = Stage::asking(&dns, &[&entry("a.test", port)]);
    assert_eq!(stage.body(&format!("http://a.test:{port}/x")).await, "/x");
    let over_tcp = dns
        .questions()
        .iter()
        .filter(|question| question.tcp && question.kind == QueryType::A)
        .count();
    assert_eq!(over_tcp, 1, "{:?}", dns.questions());
}

#[tokio::test]
async fn r34_aliases_lead_where_their_addresses_are() {
    let server = ScriptServer::start(echo);
    let port = server.address().port();
    let canary = listen_canary(("127.0.0.2", port));
    let dns = DnsServer::start(|question| {
        let alias = |to: &str, address: [u8; 4]| {
            let mut records = vec![Record::Cname(to.to_owned())];
            if question.kind == QueryType::A {
                records.push(Record::A(address.into()));
            }
            Answer::records(records)
        };
        match question.name.as_str() {
            // The whole chain in one answer, or one link at a time.
            "whole.a.test" => alias("db.internal", [127, 0, 0, 2]),
            "link.a.test" => Answer::records(vec![Record::Cname("next.test".to_owned())]),
            "next.test" => Answer::records(vec![Record::Cname("db.internal".to_owned())]),
            "db.internal" if question.kind == QueryType::A => Answer::records(vec![Record::A([127, 0, 0, 2].into())]),
            "meta.a.test" => alias("metadata.google.internal", [169, 254, 169, 254]),
            "loop.a.test" => Answer::records(vec![Record::Cname("pool.test".to_owned())]),
            "pool.test" => Answer::records(vec![Record::Cname("loop.a.test".to_owned())]),
            "good.a.test" => alias("server.test", [127, 0, 0, 1]),
            _ => Answer::no_such_name(),
        }
    });
    let exact = ["good.a.test", "meta.a.test", "loop.a.test"].map(|name| entry(name, port));
    let stage = Stage::asking(&dns, &["http://*.a.test:*", &exact[0], &exact[1], &exact[2]]);
    for name in ["whole.a.test", "link.a.test"] {
        let words = [name, "127.0.0.2", "url_scope.address"];
        stage
            .refused(&format!("http://{name}:{port}/"), ErrorKind::Denied, &words)
            .await;
    }
    let words = ["169.254.169.254", "url_scope.metadata"];
    stage
        .refused(&format!("http://meta.a.test:{port}/"), ErrorKind::Denied, &words)
        .await;
    stage
        .refused(
            &format!("http://loop.a.test:{port}/"),
            ErrorKind::Unavailable,
            &["loop.a.test"],
        )
        .await;
    assert_eq!(canary.connections_seen(), 0);
    assert!(server.recorder().connections().is_empty());
    // The name of the URL goes into the request, whatever it is an alias of.
    stage.body(&format!("http://good.a.test:{port}/")).await;
    let request = server.recorder().requests().pop().unwrap();
    assert_eq!(request.header("host"), Some(format!("good.a.test:{port}").as_str()));
}
