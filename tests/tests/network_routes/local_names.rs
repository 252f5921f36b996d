//! N10: what this machine says of names by itself does not count, but for its own name.

use std::net::IpAddr;

use toolgate::ErrorKind;
use toolgate_tests::net::{Answer, DnsServer, ScriptServer, listen_canary};

use crate::stage::{Stage, echo};

/// A name that this machine's file of hosts gives an address.
fn listed() -> Option<String> {
    let text = std::fs::read_to_string("/etc/hosts").unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.split('#').next());
    let mut names = lines.flat_map(|line| line.split_whitespace().skip(1));
    let usable = |name: &&str| {
        let known = ["localhost", "ip6-", "broadcasthost"]
            .iter()
            .any(|known| name.starts_with(known));
        !known
            && !name.ends_with("localhost")
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte))
    };
    names.find(usable).map(str::to_ascii_lowercase)
}

#[tokio::test]
async fn n10_the_file_of_hosts_is_not_consulted() {
    let Some(name) = listed() else {
        eprintln!("note: left out, since /etc/hosts gives no name but localhost an address");
        return;
    };
    let server = ScriptServer::start_at("127.0.0.2:0", echo);
    let port = server.address().port();
    let here: IpAddr = "127.0.0.2".parse().unwrap();
    let listed = listen_canary(("127.0.0.1", port));
    let dns = DnsServer::start(move |question| Answer::addresses(question, &[here]));
    let stage = Stage::asking(&dns, &[&format!("http://{name}:{port}")]);
    assert_eq!(stage.body(&format!("http://{name}:{port}/x")).await, "/x");
    assert_eq!(dns.names(), [name.as_str(), name.as_str()]);
    assert_eq!(listed.connections_seen(), 0);

    let silent = DnsServer::table(&[]);
    let stage = Stage::asking(&silent, &[&format!("http://{name}:{port}")]);
    stage
        .refused(&format!("http://{name}:{port}/"), ErrorKind::Unavailable, &[&name])
        .await;
    assert!(
        silent.names().iter().all(|asked| *asked == name),
        "no search list: {:?}",
        silent.names()
    );
}

#[tokio::test]
async fn localhost_is_this_machine_and_nobody_is_asked() {
    let server = ScriptServer::start(echo);
    let port = server.address().port();
    let canary = listen_canary(("127.0.0.2", port));
    let elsewhere = canary.address().ip();
    let dns = DnsServer::start(move |question| Answer::addresses(question, &[elsewhere]));
    let names = ["localhost", "app.localhost"];
    let entries = names.map(|name| format!("http://{name}:{port}"));
    let stage = Stage::asking(&dns, &[&entries[0], &entries[1]]);
    for name in ["localhost", "LOCALHOST", "localhost.", "app.localhost"] {
        assert_eq!(stage.body(&format!("http://{name}:{port}/x")).await, "/x", "{name}");
    }
    assert_eq!(dns.names(), [""; 0]);
    assert_eq!(canary.connections_seen(), 0);
}

#[tokio::test]
async fn addresses_are_no_names() {
    let server = ScriptServer::start(echo);
    let dns = DnsServer::table(&[]);
    let stage = Stage::asking(&dns, &[&server.url("")]);
    assert_eq!(stage.body(&server.url("/x")).await, "/x");
    assert_eq!(dns.names(), [""; 0]);
}

#[tokio::test]
async fn names_of_a_local_network_are_asked_of_the_server_only() {
    // Multicast would reach whoever listens on the network (RFC 6762).
    let dns = DnsServer::table(&[]);
    let stage = Stage::asking(&dns, &["http://printer.local", "http://db.internal"]);
    for name in ["printer.local", "db.internal"] {
        stage
            .refused(&format!("http://{name}/"), ErrorKind::Unavailable, &[name])
            .await;
    }
    assert!(
        dns.names()
            .iter()
            .all(|name| ["printer.local", "db.internal"].contains(&name.as_str()))
    );
}
