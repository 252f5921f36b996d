//! N03, R28: a name server that answers differently each time gains nothing. Loops of attempts, each of them watched.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use toolgate::{Call, ErrorKind};
use toolgate_tests::net::{
    Answer, Blackhole, DnsServer, QueryType, Question, Record, ScriptServer, listen_canary, scripts,
};

use crate::stage::{Stage, echo, fetch};

const PUBLIC: &str = "93.184.216.34";
/// In space that the IANA has given to nobody: public by its number, and nowhere to arrive at.
const NOWHERE: &str = "2d00::1";

fn answer(question: &Question, texts: &[&str]) -> Answer {
    let all: Vec<IpAddr> = texts.iter().map(|text| text.parse().unwrap()).collect();
    Answer::addresses(question, &all).with_ttl(0)
}

#[tokio::test]
async fn n03_no_strategy_reaches_an_address_that_the_entry_does_not_open() {
    let canary = listen_canary("127.0.0.2:0");
    let port = canary.address().port();
    type Strategy = fn(&Question) -> Answer;
    let strategies: [(&str, Strategy); 12] = [
        ("private", |question| answer(question, &["127.0.0.2"])),
        ("public and private", |question| {
            answer(question, &[PUBLIC, "127.0.0.2"])
        }),
        ("private and public", |question| {
            answer(question, &["127.0.0.2", PUBLIC])
        }),
        ("turns", |question| match question.nth % 2 {
            0 => answer(question, &[PUBLIC, "127.0.0.2"]),
            _ => answer(question, &["127.0.0.2"]),
        }),
        ("mapped", |question| answer(question, &["::ffff:127.0.0.2"])),
        ("compatible", |question| answer(question, &["::127.0.0.2"])),
        ("translated", |question| {
            answer(question, &["64:ff9b::7f00:2", "2002:7f00:2::"])
        }),
        ("families", |question| answer(question, &["127.0.0.2", NOWHERE])),
        ("many", |question| answer(question, &["127.0.0.2"; 40])),
        ("alias", |question| {
            if question.name == "public.test" {
                return answer(question, &[PUBLIC]);
            }
            let mut records = vec![Record::Cname("public.test".to_owned())];
            if question.kind == QueryType::A {
                records.push(Record::A([127, 0, 0, 2].into()));
            }
            Answer::records(records).with_ttl(0)
        }),
        ("two aliases", |question| match question.name.as_str() {
            "end.internal" => answer(question, &["127.0.0.2"]),
            _ => Answer::records(vec![Record::Cname("end.internal".to_owned())]).with_ttl(0),
        }),
        ("truncated", |question| match question.tcp {
            true => answer(question, &["127.0.0.2"]),
            false => answer(question, &[PUBLIC]).only_tcp(),
        }),
    ];
    for (name, strategy) in strategies {
        let dns = DnsServer::start(strategy);
        let stage = Stage::asking(&dns, &["http://*:*"]);
        let session = stage.rig.session();
        for attempt in 0..12 {
            // A name of its own each time, and the same name again and again.
            let host = if attempt % 2 == 0 {
                "a.test".to_owned()
            } else {
                format!("r{attempt}.test")
            };
            let error = fetch(&session, &format!("http://{host}:{port}/")).await.unwrap_err();
            assert_eq!(error.kind, ErrorKind::Denied, "{name}: {error:?}");
            assert!(error.message.contains("url_scope.address"), "{name}: {error:?}");
        }
        // Two questions for each attempt, and as many more as aliases and TCP take.
        let asked = dns.questions().len();
        assert!((24..=60).contains(&asked), "{name}: {asked}");
        assert_eq!(canary.connections_seen(), 0, "{name}");
    }
}

#[tokio::test]
async fn r28_after_a_public_answer_a_private_one_is_not_even_asked_for() {
    let canary = listen_canary("127.0.0.2:0");
    let port = canary.address().port();
    let dns = DnsServer::start(|question| match question.nth {
        1 => answer(question, &[NOWHERE]),
        _ => answer(question, &["127.0.0.2"]),
    });
    let stage = Stage::new(|config| {
        config.url_scope.allow = vec!["http://*.test:*".to_owned()];
        config.url_scope.nameservers = vec![dns.address().to_string()];
        config.url_scope.timeout_seconds = 1;
    });
    let session = stage.rig.session();
    let urls: Vec<String> = (0..8).map(|number| format!("http://r{number}.test:{port}/")).collect();
    let attempts = urls.iter().map(|url| {
        let (session, url) = (session.sibling(None), url.clone());
        tokio::spawn(async move { fetch(&session, &url).await })
    });
    for attempt in attempts.collect::<Vec<_>>() {
        let error = attempt.await.unwrap().unwrap_err();
        assert!(
            matches!(error.kind, ErrorKind::Deadline | ErrorKind::Unavailable),
            "{error:?}"
        );
    }
    assert_eq!(dns.questions().len(), 2 * urls.len(), "no second look");
    for url in &urls {
        // The next call looks again, and the answer that it gets is the one that is vetted.
        let error = fetch(&session, url).await.unwrap_err();
        assert!(
            error.kind == ErrorKind::Denied && error.message.contains("127.0.0.2"),
            "{error:?}"
        );
    }
    assert_eq!(canary.connections_seen(), 0);
}

#[tokio::test]
async fn n03_the_dialled_address_is_of_the_answer_that_was_vetted() {
    // The entry opens private addresses; both servers may be reached, each by its own answer only.
    let one =
        ScriptServer::start(|_| scripts::answer(200, &[("Connection", "close"), ("Content-Type", "text/plain")], "1"));
    let port = one.address().port();
    let two = ScriptServer::start_at(("127.0.0.2", port), |_| {
        scripts::answer(200, &[("Connection", "close"), ("Content-Type", "text/plain")], "2")
    });
    let dns = DnsServer::start(|question| match question.nth % 2 {
        1 => answer(question, &["127.0.0.1"]),
        _ => answer(question, &["127.0.0.2"]),
    });
    let stage = Stage::asking(&dns, &[&format!("http://a.test:{port}")]);
    let session = stage.rig.session();
    for attempt in 0..60 {
        let page = fetch(&session, &format!("http://a.test:{port}/")).await.unwrap();
        let expected = if attempt % 2 == 0 { "1" } else { "2" };
        assert_eq!(page["body"], expected, "attempt {attempt}");
    }
    assert_eq!(dns.questions().len(), 120);
    for server in [&one, &two] {
        let connections = server.recorder().connections();
        assert_eq!((connections.len(), server.recorder().requests().len()), (30, 30));
    }
    for (number, record) in stage.records().iter().enumerate() {
        let expected = format!("127.0.0.{}:{port}", 1 + number % 2);
        assert_eq!(record["requests"][0]["address"], expected, "{record}");
    }
}

#[tokio::test]
async fn a_hop_is_looked_up_anew_and_vetted_anew() {
    let canary = listen_canary("127.0.0.2:0");
    let server = ScriptServer::start(|request| match request.path() {
        "/start" => {
            let host = request.header("host").unwrap().to_owned();
            scripts::redirect(302, &format!("http://{host}/again"))
        }
        _ => echo(request),
    });
    let port = server.address().port();
    for later in [
        &["127.0.0.2", PUBLIC][..],
        &["169.254.169.254"],
        &["0.0.0.0"],
        &[PUBLIC, "127.0.0.1"],
    ] {
        let later: Arc<[&'static str]> = later.into();
        let dns = DnsServer::start(move |question| match question.nth {
            1 => answer(question, &["127.0.0.1"]),
            _ => answer(question, &later),
        });
        let stage = Stage::asking(&dns, &[&format!("http://a.test:{port}")]);
        let words = ["redirect 1", "a.test"];
        stage
            .refused(&format!("http://a.test:{port}/start"), ErrorKind::Denied, &words)
            .await;
        assert_eq!(dns.questions().len(), 4);
    }
    assert_eq!(server.recorder().targets(), ["/start"; 4]);
    assert_eq!(canary.connections_seen(), 0);
}

#[tokio::test]
async fn r28_after_a_private_answer_a_public_one_is_what_is_dialled() {
    let server = ScriptServer::start(|_| {
        let headers = [("Connection", "close"), ("Content-Type", "text/plain")];
        scripts::answer(200, &headers, "here")
    });
    let port = server.address().port();
    let dns = DnsServer::start(|question| match question.nth {
        1 => answer(question, &["127.0.0.1"]),
        _ => answer(question, &[NOWHERE]),
    });
    let stage = Stage::new(|config| {
        config.url_scope.allow = vec![format!("http://a.test:{port}")];
        config.url_scope.nameservers = vec![dns.address().to_string()];
        config.url_scope.timeout_seconds = 1;
    });
    let session = stage.rig.session();
    let url = format!("http://a.test:{port}/");
    assert_eq!(fetch(&session, &url).await.unwrap()["body"], "here");
    let error = fetch(&session, &url).await.unwrap_err();
    assert!(
        matches!(error.kind, ErrorKind::Deadline | ErrorKind::Unavailable),
        "{error:?}"
    );
    assert_eq!(dns.questions().len(), 4);
    assert_eq!(server.recorder().connections().len(), 1, "the old address is forgotten");
}

#[test]
fn a_silent_first_address_gives_way_to_the_next_of_the_same_answer() {
    let hole = Blackhole::new();
    let port = hole.address().port();
    let server = ScriptServer::start_at(("127.0.0.3", port), echo);
    let dns = DnsServer::start(|question| answer(question, &["127.0.0.1", "127.0.0.3"]));
    let stage = Stage::asking(&dns, &[&format!("http://a.test:{port}")]);
    let call = Call::new("fetch_url", json!({"url": format!("http://a.test:{port}/x")}));
    let page = stage.rig.session().call_blocking(call).unwrap().value;
    assert_eq!(page["body"], "/x");
    assert_eq!(stage.requests()[0]["address"], server.address().to_string());
}

#[tokio::test]
async fn a_dead_first_address_gives_way_to_the_next_of_the_same_answer() {
    let server = ScriptServer::start(echo);
    let port = server.address().port();
    let dns = DnsServer::start(|question| answer(question, &["127.0.0.3", "127.0.0.1", "127.0.0.4"]));
    let stage = Stage::asking(&dns, &[&format!("http://a.test:{port}")]);
    let url = format!("http://a.test:{port}/x");
    assert_eq!(
        tokio::time::timeout(Duration::from_secs(20), stage.body(&url))
            .await
            .unwrap(),
        "/x"
    );
    assert_eq!(dns.questions().len(), 2);
    assert_eq!(stage.requests()[0]["address"], server.address().to_string());
}
