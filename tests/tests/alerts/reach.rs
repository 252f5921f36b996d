//! Which addresses a target may have, and the way to them.

use serde_json::{Value, json};
use toolgate::ErrorKind;
use toolgate_tests::net::{DnsServer, HookServer, HttpProxy, SocksProxy, Upstream};

use crate::stage::{Setup, fire};

fn ops(url: &str) -> Value {
    json!([{"name": "ops", "template": "generic", "url": url}])
}

/// Addresses of metadata services, and of no single machine, in the forms in which URLs can write them.
const CLOSED: [&str; 10] = [
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "169.254.170.2",
    "100.100.100.200",
    "[fd00:ec2::254]",
    "[::ffff:a9fe:a9fe]",
    "[64:ff9b::a9fe:a9fe]",
    "255.255.255.255",
    "224.0.0.1",
];

#[tokio::test]
async fn metadata_services_are_no_targets() {
    for host in CLOSED {
        // Behind a proxy that would send it on.
        let server = HookServer::start([]);
        let proxy = HttpProxy::start(Upstream::Fixed(server.address()));
        let url = proxy.url();
        for proxy in ["", &url] {
            let stage = Setup::targets(ops(&format!("http://{host}/latest/s3cret")))
                .config(|config| config.url_scope.proxy = proxy.to_owned())
                .start();
            let outcome = if stage.rig.host.has_tool("alert") {
                fire(&stage.session(), "ops").await.unwrap_err()
            } else {
                // Not a URL in the form that browsers show.
                assert!(stage.beginning.contains("browsers"), "{host}: {}", stage.beginning);
                continue;
            };
            assert_eq!(outcome.kind, ErrorKind::Denied, "{host}: {outcome}");
            assert!(
                outcome.message.contains("ops") && outcome.message.contains("denied"),
                "{outcome}"
            );
            for secret in [host, "latest", "s3cret"] {
                assert!(!outcome.message.contains(secret), "{outcome}");
            }
        }
        assert!(proxy.targets().is_empty(), "{host}");
        assert!(server.recorder().connections().is_empty(), "{host}");
    }
}

/// One metadata address among harmless ones closes the name.
#[tokio::test]
async fn names_that_lead_to_metadata_services_are_no_targets() {
    let server = HookServer::start([]);
    let dns = DnsServer::table(&[
        ("meta.test", &["169.254.169.254".parse().unwrap()]),
        (
            "both.test",
            &["127.0.0.1".parse().unwrap(), "169.254.169.254".parse().unwrap()],
        ),
        (
            "six.test",
            &["127.0.0.1".parse().unwrap(), "fd00:ec2::254".parse().unwrap()],
        ),
        ("good.test", &["127.0.0.1".parse().unwrap()]),
    ]);
    for name in ["meta.test", "both.test", "six.test", "good.test"] {
        let stage = Setup::targets(ops(&server.url_for(name, "/hook")))
            .config(|config| config.url_scope.nameservers = vec![dns.address().to_string()])
            .start();
        let outcome = fire(&stage.session(), "ops").await;
        assert!(dns.names().iter().any(|asked| asked == name), "{name} was looked up");
        if name == "good.test" {
            outcome.unwrap();
            break;
        }
        let error = outcome.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Denied, "{name}: {error}");
        assert!(
            !error.message.contains("169.254") && !error.message.contains(name),
            "{error}"
        );
        assert!(server.recorder().connections().is_empty(), "{name}");
    }
    assert_eq!(server.received().len(), 1);
    let host = server.received()[0].header("host").unwrap().to_owned();
    assert_eq!(host, format!("good.test:{}", server.address().port()));
}

/// Unlike the URLs of tools, which need an entry in `url_scope.allow`.
#[tokio::test]
async fn private_addresses_are_the_operators_choice() {
    let server = HookServer::start([]);
    let proxy = HttpProxy::start(Upstream::Fixed(server.address()));
    for host in ["10.11.12.13", "172.16.0.9", "192.168.1.1", "100.64.0.1", "[fd12::1]"] {
        let stage = Setup::targets(ops(&format!("http://{host}:8080/hook")))
            .config(|config| config.url_scope.proxy = proxy.url())
            .start();
        fire(&stage.session(), "ops")
            .await
            .unwrap_or_else(|error| panic!("{host}: {error}"));
        let asked = proxy.targets().pop().unwrap();
        assert_eq!((asked.host.as_str(), asked.port), (host.trim_matches(['[', ']']), 8080));
    }
    assert_eq!(server.received().len(), 5);
}

#[tokio::test]
async fn loopback_works_by_address_and_by_name() {
    let server = HookServer::start([]);
    for url in [server.url("/hook"), server.url_for("localhost", "/hook")] {
        let stage = Setup::targets(ops(&url)).start();
        fire(&stage.session(), "ops").await.unwrap();
    }
    assert_eq!(server.received().len(), 2);
}

#[tokio::test]
async fn the_proxy_of_the_configuration_is_used() {
    let server = HookServer::start([]);
    let http = HttpProxy::start(Upstream::Fixed(server.address()));
    let socks = SocksProxy::start(Upstream::Fixed(server.address()));
    for proxy in [http.url(), socks.url()] {
        // Only the proxy could know the name.
        let dns = DnsServer::table(&[]);
        let stage = Setup::targets(ops("http://hooks.test:8080/s3cret"))
            .config(|config| {
                config.url_scope.proxy = proxy;
                config.url_scope.nameservers = vec![dns.address().to_string()];
            })
            .start();
        fire(&stage.session(), "ops").await.unwrap();
        assert!(dns.names().is_empty());
    }
    for targets in [http.targets(), socks.targets()] {
        let [target] = &targets[..] else {
            panic!("{targets:?}");
        };
        assert_eq!(
            (target.host.as_str(), target.port, target.by_name),
            ("hooks.test", 8080, true)
        );
    }
    assert_eq!(server.recorder().targets(), ["/s3cret", "/s3cret"]);

    let refusing = HttpProxy::start(Upstream::Refused(503));
    let url = refusing.url();
    let stage = Setup::targets(ops("http://hooks.test:8080/s3cret"))
        .config(|config| config.url_scope.proxy = url)
        .start();
    let error = fire(&stage.session(), "ops").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unavailable, "{error}");
    assert!(
        !error.message.contains("hooks.test") && !error.message.contains("127.0.0.1"),
        "{error}"
    );
    assert_eq!(refusing.targets().len(), 1);
}
