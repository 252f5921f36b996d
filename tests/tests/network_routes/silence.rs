//! Name servers that do not help, and those that say too much.

use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use toolgate::ErrorKind;
use toolgate_tests::net::{Answer, DnsServer, QueryType, Record, ScriptServer, listen_canary};

use crate::stage::{Stage, echo};

#[tokio::test]
async fn a_name_that_does_not_exist_or_cannot_be_looked_up_is_named() {
    let dns = DnsServer::start(|question| match question.name.split('.').next() {
        Some("absent") => Answer::no_such_name(),
        Some("failing") => Answer::server_failure(),
        Some("refusing") => Answer::failure(5),
        Some("empty") => Answer::records(Vec::new()),
        _ => Answer::failure(4),
    });
    let stage = Stage::asking(&dns, &["http://*.test:*"]);
    for (name, words) in [
        ("absent.test", "no such name"),
        ("failing.test", "cannot be resolved"),
        ("refusing.test", "cannot be resolved"),
        ("empty.test", "no address"),
        ("strange.test", "cannot be resolved"),
    ] {
        let begun = Instant::now();
        let url = format!("http://{name}:8080/x?q=hunter2");
        let message = stage.refused(&url, ErrorKind::Unavailable, &[name, words]).await;
        assert!(!message.contains("hunter2"), "{message}");
        assert!(
            begun.elapsed() < Duration::from_secs(10),
            "{name}: {:?}",
            begun.elapsed()
        );
        assert!(dns.names().contains(&name.to_owned()));
    }
    assert!(
        dns.names().iter().all(|name| name.ends_with(".test")),
        "{:?}",
        dns.names()
    );
}

#[tokio::test]
async fn silence_ends_with_the_time_limit() {
    let dns = DnsServer::start(|_| Answer::silence());
    let stage = Stage::new(|config| {
        config.url_scope.allow = vec!["http://*.test".to_owned()];
        config.url_scope.nameservers = vec![dns.address().to_string()];
        config.url_scope.timeout_seconds = 1;
    });
    let begun = Instant::now();
    let words = ["looking up a.test", "1 s", "url_scope.timeout_seconds"];
    stage.refused("http://a.test/", ErrorKind::Deadline, &words).await;
    assert!(begun.elapsed() >= Duration::from_millis(990) && begun.elapsed() < Duration::from_secs(10));
    assert!(!dns.names().is_empty());
}

#[tokio::test]
async fn a_silent_server_before_one_that_answers_costs_time_only() {
    let server = ScriptServer::start(echo);
    let port = server.address().port();
    let silent = DnsServer::start(|_| Answer::silence());
    let good = DnsServer::table(&[("a.test", &[IpAddr::V4(Ipv4Addr::LOCALHOST)])]);
    let stage = Stage::new(|config| {
        config.url_scope.allow = vec![format!("http://a.test:{port}")];
        config.url_scope.nameservers = vec![silent.address().to_string(), good.address().to_string()];
    });
    assert_eq!(stage.body(&format!("http://a.test:{port}/x")).await, "/x");
    assert!(!good.names().is_empty());
}

/// So many addresses that they fit into TCP only, the first of them the server's.
fn many(last: Ipv4Addr) -> Vec<Record> {
    let other = |number: u16| Record::A(Ipv4Addr::new(127, 77, (number >> 8) as u8, (number & 0xff) as u8 | 1));
    let mut all = vec![Record::A(Ipv4Addr::LOCALHOST)];
    all.extend((0..1500).map(other));
    all.push(Record::A(last));
    all
}

#[tokio::test]
async fn of_very_many_answers_every_one_is_vetted() {
    let server = ScriptServer::start(echo);
    let port = server.address().port();
    let canary = listen_canary(("127.0.0.2", port));
    let dns = DnsServer::start(|question| {
        let last = match question.name.as_str() {
            "good.test" => Ipv4Addr::new(127, 0, 0, 3),
            "public.test" => Ipv4Addr::new(93, 184, 216, 34),
            "metadata.test" => Ipv4Addr::new(169, 254, 169, 254),
            "unspecified.test" => Ipv4Addr::UNSPECIFIED,
            _ => Ipv4Addr::new(127, 0, 0, 2),
        };
        match question.kind {
            QueryType::A => Answer::records(many(last)),
            _ => Answer::records(Vec::new()),
        }
    });
    let names = [
        "good.test",
        "public.test",
        "metadata.test",
        "unspecified.test",
        "denied.test",
    ];
    let stage = Stage::new(|config| {
        config.url_scope.allow = names.iter().map(|name| format!("http://{name}:{port}")).collect();
        config.url_scope.deny = vec!["127.0.0.2".to_owned()];
        config.url_scope.nameservers = vec![dns.address().to_string()];
    });
    for (name, words) in [
        ("public.test", "at once"),
        ("metadata.test", "169.254.169.254"),
        ("unspecified.test", "0.0.0.0"),
        ("denied.test", "url_scope.deny[0]"),
    ] {
        let message = stage
            .refused(&format!("http://{name}:{port}/"), ErrorKind::Denied, &[name, words])
            .await;
        assert!(message.len() < 64 << 10, "{} bytes", message.len());
    }
    assert_eq!(canary.connections_seen(), 0);
    assert!(server.recorder().connections().is_empty());
    assert!(dns.questions().iter().any(|question| question.tcp));
    assert_eq!(stage.body(&format!("http://good.test:{port}/x")).await, "/x");
}
