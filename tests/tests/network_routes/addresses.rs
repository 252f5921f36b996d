//! What names lead to decides, and one bad address decides for all of an answer.

use std::net::IpAddr;

use toolgate::ErrorKind;
use toolgate_tests::net::{Answer, DnsServer, QueryType, Record, ScriptServer, listen_canary};

use crate::stage::{Stage, echo};

const PUBLIC: &str = "93.184.216.34";
const PUBLIC_SIX: &str = "2606:4700::1111";

fn addresses(texts: &[&str]) -> Vec<IpAddr> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

/// A name server that answers every name with these.
fn answering(texts: &[&str]) -> DnsServer {
    let all = addresses(texts);
    DnsServer::start(move |question| Answer::addresses(question, &all))
}

#[tokio::test]
async fn r24_to_r26_an_exact_entry_opens_private_addresses_and_nothing_else() {
    let canary = listen_canary("127.0.0.2:0");
    let six = listen_canary(("::1", canary.address().port()));
    let port = canary.address().port();
    let cases = [
        (["169.254.169.254"].as_slice(), "url_scope.metadata"),
        (&["169.254.0.1"], "url_scope.metadata"),
        (&["192.0.0.192"], "url_scope.metadata"),
        (&["fd00:ec2::254"], "url_scope.metadata"),
        (&["fd20:ce::254"], "url_scope.metadata"),
        (&["100.100.100.200"], "url_scope.metadata"),
        (&["168.63.129.16"], "url_scope.metadata"),
        (&["fe80::1"], "url_scope.metadata"),
        (&["::ffff:169.254.169.254"], "url_scope.metadata"),
        (&["64:ff9b::a9fe:a9fe"], "url_scope.metadata"),
        (&["64:ff9b:1::a9fe:a9fe"], "url_scope.metadata"),
        (&["2002:a9fe:a9fe::"], "url_scope.metadata"),
        (&["127.0.0.2", "169.254.169.254"], "url_scope.metadata"),
        (&["169.254.169.254", "127.0.0.2"], "url_scope.metadata"),
        (&[PUBLIC, "169.254.169.254"], "url_scope.metadata"),
        (&["127.0.0.2", "::ffff:169.254.169.254"], "url_scope.metadata"),
        (&[PUBLIC, "127.0.0.2"], "at once"),
        (&["127.0.0.2", PUBLIC], "at once"),
        (&["127.0.0.2", PUBLIC_SIX], "at once"),
        (&[PUBLIC, "::1"], "at once"),
        (&["127.0.0.2", "::1", PUBLIC], "at once"),
        (&["0.0.0.0"], "never dialled"),
        (&["127.0.0.2", "0.0.0.0"], "never dialled"),
        (&["::"], "never dialled"),
        (&["255.255.255.255"], "never dialled"),
        (&["224.0.0.1"], "never dialled"),
        (&["ff02::1"], "never dialled"),
        (&["127.0.0.2", "::ffff:0.0.0.0"], "never dialled"),
    ];
    for (answer, words) in cases {
        let dns = answering(answer);
        let stage = Stage::asking(&dns, &[&format!("http://a.test:{port}"), "http://*:*"]);
        let words = ["a.test", words];
        stage
            .refused(&format!("http://a.test:{port}/"), ErrorKind::Denied, &words)
            .await;
        assert_eq!(dns.questions().len(), 2, "{answer:?}");
    }
    assert_eq!((canary.connections_seen(), six.connections_seen()), (0, 0));
}

#[tokio::test]
async fn r27_r33_a_wildcard_or_another_port_opens_no_private_address() {
    let canary = listen_canary("127.0.0.2:0");
    let six = listen_canary(("::1", canary.address().port()));
    let port = canary.address().port();
    let other = format!("http://a.test:{}", port ^ 1);
    let answers = [
        ["127.0.0.2"].as_slice(),
        &["::1"],
        &["127.0.0.2", "::1"],
        &["::ffff:127.0.0.2"],
        &["::127.0.0.2"],
        &["64:ff9b::7f00:2"],
        &["2002:7f00:2::"],
        &["10.0.0.1"],
        &["192.168.0.1", "10.0.0.1"],
        &["fd00::1"],
        &["fc00::1"],
        &[PUBLIC, "127.0.0.2"],
        &[PUBLIC_SIX, "127.0.0.2"],
    ];
    for answer in answers {
        let dns = answering(answer);
        let stage = Stage::asking(&dns, &[&other, "http://*.test:*", "http://*:*"]);
        let words = ["a.test", "url_scope.address", "exactly this host and port"];
        stage
            .refused(&format!("http://a.test:{port}/"), ErrorKind::Denied, &words)
            .await;
    }
    let stage = Stage::allowing(&["http://*:*"]);
    for host in ["localhost", "x.localhost", "127.0.0.2", "[::1]", "[::ffff:127.0.0.2]"] {
        let url = format!("http://{host}:{port}/");
        stage.refused(&url, ErrorKind::Denied, &["url_scope.address"]).await;
    }
    assert_eq!((canary.connections_seen(), six.connections_seen()), (0, 0));
}

#[tokio::test]
async fn n03_one_family_cannot_hide_what_the_other_says() {
    let canary = listen_canary("127.0.0.2:0");
    let port = canary.address().port();
    // Each answer holds records of the other family, too.
    let dns = DnsServer::start(|question| {
        let hidden = match question.kind {
            QueryType::Aaaa => vec![
                Record::Aaaa(PUBLIC_SIX.parse().unwrap()),
                Record::A([127, 0, 0, 2].into()),
            ],
            _ => Vec::new(),
        };
        Answer::records(hidden)
    });
    let stage = Stage::new(|config| {
        config.url_scope.allow = vec!["http://*:*".to_owned()];
        config.url_scope.deny = vec![format!("[{PUBLIC_SIX}]")];
        config.url_scope.nameservers = vec![dns.address().to_string()];
    });
    // Refused by the deny entry for the address, or because of the private one; dialled never.
    stage
        .refused(&format!("http://a.test:{port}/"), ErrorKind::Denied, &["a.test"])
        .await;
    assert_eq!(canary.connections_seen(), 0);
}

#[tokio::test]
async fn r26_pins_make_a_mixed_answer_usable() {
    let server = ScriptServer::start(echo);
    let port = server.address().port();
    let dns = answering(&[PUBLIC, "127.0.0.2"]);
    let stage = Stage::asking(&dns, &[&format!("http://a.test:{port}=127.0.0.1,{PUBLIC}")]);
    assert_eq!(stage.body(&format!("http://a.test:{port}/x")).await, "/x");
    assert_eq!(dns.names(), [""; 0]);
}

#[tokio::test]
async fn a_denied_address_denies_the_names_that_lead_there() {
    let server = ScriptServer::start(echo);
    let port = server.address().port();
    let two = listen_canary(("127.0.0.2", port));
    let dns = DnsServer::table(&[
        ("one.test", &addresses(&["127.0.0.1"])),
        ("two.test", &addresses(&["127.0.0.2"])),
        ("both.test", &addresses(&["127.0.0.1", "127.0.0.2"])),
        ("mapped.test", &addresses(&["::ffff:127.0.0.2"])),
    ]);
    let names = ["one.test", "two.test", "both.test", "mapped.test"];
    let stage = Stage::new(|config| {
        config.url_scope.allow = names.iter().map(|name| format!("http://{name}:{port}")).collect();
        config.url_scope.deny = vec!["127.0.0.2".to_owned()];
        config.url_scope.nameservers = vec![dns.address().to_string()];
    });
    for name in &names[1..] {
        let words = [*name, "127.0.0.2", "url_scope.deny[0]"];
        stage
            .refused(&format!("http://{name}:{port}/"), ErrorKind::Denied, &words)
            .await;
    }
    assert_eq!(stage.body(&format!("http://one.test:{port}/x")).await, "/x");
    assert_eq!(two.connections_seen(), 0);
}

#[tokio::test]
async fn r20_zone_ids_are_refused_before_anything_else() {
    let six = listen_canary("[::1]:0");
    let port = six.address().port();
    let stage = Stage::allowing(&["http://*:*", &format!("http://[::1]:{port}")]);
    for host in [
        "[::1%25lo]",
        "[::1%lo]",
        "[::1%251]",
        "[fe80::1%25eth0]",
        "[::ffff:127.0.0.1%25lo]",
    ] {
        let url = format!("http://{host}:{port}/");
        stage.refused(&url, ErrorKind::InvalidArguments, &["zone"]).await;
    }
    assert_eq!(six.connections_seen(), 0);
}
