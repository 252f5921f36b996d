//! `explain` says what would happen to a URL, which rule says so, and what would change it.

use serde_json::json;
use toolgate::gate::{Explanation, Outcome};
use toolgate::{ErrorKind, Mode};
use toolgate_tests::net::DnsServer;

use crate::stage::{Stage, owned};

fn stage(mode: Mode, dns: &DnsServer) -> Stage {
    Stage::built(
        |config| {
            config.url_scope.allow = owned(&["http://*.test", "127.0.0.1:8443", "metadata.goog"]);
            config.url_scope.deny = owned(&["no.test"]);
            config.url_scope.nameservers = vec![dns.address().to_string()];
            config.permissions.deny = owned(&["fetch_url:ruled.test/*"]);
        },
        |builder| builder.mode(mode),
    )
}

fn explain(stage: &Stage, url: &str) -> Explanation {
    let mut explained = stage.rig.session().explain("fetch_url", json!({"url": url})).unwrap();
    assert_eq!(explained.len(), 1, "{explained:?}");
    explained.remove(0)
}

#[test]
fn each_refusal_names_its_rule_and_the_change() {
    let dns = DnsServer::table(&[]);
    for mode in [Mode::Ask, Mode::Yolo, Mode::Allow, Mode::Plan] {
        let stage = stage(mode, &dns);
        for (url, rule, change) in [
            (
                "https://other.example/x?q",
                "url_scope.allow",
                Some("add \"other.example\" to url_scope.allow"),
            ),
            (
                "http://a.test:81/",
                "url_scope.allow",
                Some("add \"http://a.test:81\" to url_scope.allow"),
            ),
            (
                "https://NO.test./",
                "url_scope.deny[0]",
                Some("remove \"no.test\" from url_scope.deny"),
            ),
            (
                "https://127.0.0.1/",
                "url_scope.allow",
                Some("add \"127.0.0.1\" to url_scope.allow"),
            ),
            (
                "https://metadata.goog/",
                "url_scope.metadata",
                Some("url_scope.allow_metadata_endpoints"),
            ),
            (
                "http://ruled.test/x",
                "permissions.deny[0]",
                Some("fetch_url:ruled.test/*"),
            ),
        ] {
            let explained = explain(&stage, url);
            assert_eq!(
                (explained.outcome, &*explained.rule.id),
                (Outcome::Refuse, rule),
                "{mode} {url}: {explained:?}"
            );
            let said = explained.change.clone().unwrap_or_default();
            assert!(said.contains(change.unwrap_or_default()), "{url}: {said}");
        }
    }
    assert_eq!(dns.names(), [""; 0]);
}

#[test]
fn what_is_in_scope_is_up_to_the_mode() {
    let dns = DnsServer::table(&[]);
    for (mode, outcome, rule) in [
        (Mode::Ask, Outcome::Ask, "mode.ask"),
        (Mode::AcceptEdits, Outcome::Ask, "mode.acceptEdits"),
        (Mode::Yolo, Outcome::Pass, "mode.yolo"),
        (Mode::Allow, Outcome::Refuse, "mode.allow"),
        (Mode::Plan, Outcome::Refuse, "mode.plan"),
    ] {
        let stage = stage(mode, &dns);
        for (url, subject) in [
            ("HTTP://A.test.:80/x/../y?q=1#part", "http://a.test/y?q=1"),
            ("https://127.0.0.1:8443", "https://127.0.0.1:8443/"),
        ] {
            let explained = explain(&stage, url);
            assert_eq!(
                (explained.outcome, &*explained.rule.id),
                (outcome, rule),
                "{mode}: {explained:?}"
            );
            assert_eq!(explained.subject, subject);
            assert_eq!(explained.choices.is_empty(), outcome != Outcome::Ask);
        }
    }
    assert_eq!(dns.names(), [""; 0], "nothing is looked up for an explanation");
}

#[test]
fn what_is_no_url_is_a_mistake_of_the_call() {
    let dns = DnsServer::table(&[]);
    let stage = stage(Mode::Ask, &dns);
    for url in [
        "",
        "a.test",
        "ftp://a.test/",
        "http://user:hunter2@a.test/",
        "http://0x7f.1/",
        "http://[::1%25lo]/",
    ] {
        let error = stage
            .rig
            .session()
            .explain("fetch_url", json!({"url": url}))
            .unwrap_err();
        assert_eq!(error.kind, ErrorKind::InvalidArguments, "{url}: {error:?}");
        assert!(!error.message.contains("hunter2"), "{error:?}");
    }
}
