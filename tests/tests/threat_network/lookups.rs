//! N13: names that are looked up, over a real name server, with everything that is sent in view.

use serde_json::json;
use toolgate_tests::net::DnsServer;
use toolgate_tests::rig::{self, Rig};

use crate::everywhere::Everywhere;
use crate::packets::Observer;
use crate::stage::{is_unanswered, page, scoped};

#[tokio::test(flavor = "multi_thread")]
async fn n13_names_outside_the_scope_are_no_question() {
    if !crate::namespace::entered(module_path!(), "n13_names_outside_the_scope_are_no_question") {
        return;
    }
    let observer = Observer::start();
    let servers = Everywhere::start(&[], &[80], |_| page()).await;
    let secret = "73656372657420746f6b656e2031323334353637383930";
    let inside = format!("{secret}.in.org");
    let address = "93.184.216.34".parse().unwrap();
    let dns = DnsServer::table(&[("in.org", &[address]), (&inside, &[address])]);
    let mut config = scoped(&["http://in.org", "http://*.in.org"], &["no.in.org"]);
    config.url_scope.nameservers = vec![dns.address().to_string()];
    config.tools.network = [("dial_http".to_owned(), vec!["http://*.in.org".to_owned()])].into();
    let rig = Rig::with_config(config, |_| {}, |builder| builder.plugin(rig::guest("dialer")));
    for host in [
        format!("{secret}.out.org"),
        format!("{secret}.in.org.out.org"),
        format!("{secret}.xin.org"),
        "no.in.org".to_owned(),
        "in.org".to_owned(),
        "org".to_owned(),
        "localhost".to_owned(),
        "localhost.in.org.".to_owned() + "out.org",
        format!("{}.in.org", "a".repeat(64)),
        format!("{}in.org", "a.".repeat(130)),
        format!("{secret}.in.org:53"),
        format!("{secret}..in.org"),
        format!("{secret}%2ein.org"),
        "metadata.google.internal".to_owned(),
    ] {
        let url = format!("http://{host}/");
        let report = rig.call("dial_http", json!({ "url": url })).await.unwrap();
        assert!(is_unanswered(&report.into()), "{url}");
        if host != "in.org" {
            rig.call("fetch_url", json!({ "url": url })).await.expect_err(&url);
            rig.call("dial_http_url", json!({ "url": url })).await.expect_err(&url);
        }
        assert_eq!(dns.names(), [""; 0], "{url}");
    }
    assert!(
        observer.datagrams().is_empty() && observer.connects().is_empty(),
        "nothing was sent at all"
    );

    let report = rig
        .call("dial_http", json!({"url": format!("http://{inside}/")}))
        .await
        .unwrap();
    assert!(!is_unanswered(&report.into()));
    let mut names = dns.names();
    names.dedup();
    assert_eq!(names, [inside], "one name, as it stands");
    assert!(
        dns.questions().len() <= 2,
        "for both versions of IP: {:?}",
        dns.questions()
    );
    let (sent, connects) = (observer.datagrams(), observer.connects());
    let answers = |to: &std::net::SocketAddr| to.ip().is_loopback();
    assert!(sent.contains(&dns.address()) && sent.iter().all(answers), "{sent:?}");
    assert_eq!(connects, ["93.184.216.34:80".parse().unwrap()]);
    assert_eq!(servers.arrived().len(), 1);
    // A name that does not exist is asked for once, and nowhere else.
    let report = rig
        .call("dial_http", json!({"url": "http://missing.in.org/"}))
        .await
        .unwrap();
    let report = serde_json::Value::from(report);
    assert_eq!(report["counts"], json!({"response:dns_error": 1}), "{report}");
    let mut names = dns.names();
    names.dedup();
    assert_eq!(names.last().unwrap(), "missing.in.org", "no search list: {names:?}");
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(observer.connects().is_empty());

    // Every name tells the server something, so one call has only so many of them.
    let report = rig
        .call("dial_http", json!({"url": "http://gone.in.org/", "parallel": 80}))
        .await
        .unwrap();
    let report = serde_json::Value::from(report);
    assert_eq!(report["counts"]["response:dns_error"], 64, "{report}");
    // Questions of the same moment may share an answer.
    let asked = dns.names().iter().filter(|name| *name == "gone.in.org").count();
    assert!((1..=128).contains(&asked), "for both versions of IP: {asked}");
}
