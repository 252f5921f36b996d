//! The rows of `addresses.json` from end to end: which addresses are dialled, for names and for themselves.

use std::net::IpAddr;

use serde_json::json;
use toolgate::scope::web::{Options, UrlScope, WebUrl};
use toolgate::{CallError, ErrorKind};

use crate::everywhere::plainly;
use crate::rows::{Expect, Row, Tier, TierRow, addresses, by_scope};
use crate::stage::{Seen, Stage, World, is_silent_of, is_unanswered, says};

/// Ports of the rows.
const PORTS: [u16; 4] = [80, 443, 8080, 8443];

/// Whether the kernel connects to an address: one of a link needs the link's name as well.
fn can_be_dialled(address: IpAddr) -> bool {
    !matches!(address, IpAddr::V6(address) if address.is_unicast_link_local())
}

/// Whether `address` was dialled, or would have been.
fn is_dialled(id: &str, address: IpAddr, port: u16, seen: &Seen, error: Option<&CallError>) -> bool {
    let expected = plainly(address, port).to_string();
    assert!(seen.connects.iter().all(|to| *to == expected), "{id}: {seen:?}");
    if !can_be_dialled(address) {
        return error.is_some_and(|error| error.message.contains("no connection to"));
    }
    assert_eq!(seen.connects.is_empty(), error.is_some(), "{id}: {error:?} {seen:?}");
    assert_eq!(seen.arrived.len(), seen.connects.len(), "{id}: {seen:?}");
    error.is_none()
}

#[tokio::test(flavor = "multi_thread")]
async fn r_every_tier_is_dialled_only_where_the_scope_opens_it() {
    if !crate::namespace::entered(module_path!(), "r_every_tier_is_dialled_only_where_the_scope_opens_it") {
        return;
    }
    let world = World::new(&["x.org"], &PORTS).await;
    let mut rows = addresses().tiers;
    rows.sort_by(|one, other| one.nat64.cmp(&other.nat64));
    for group in rows.chunk_by(|one, other| one.nat64 == other.nat64) {
        for (entry, metadata, most) in [
            ("http://*", false, Tier::Public),
            ("http://x.org", false, Tier::Private),
            ("http://x.org", true, Tier::Metadata),
        ] {
            let mut config = world.config(&[entry], &[]);
            config.url_scope.allow_metadata_endpoints = metadata;
            config.url_scope.nat64_prefix.clone_from(&group[0].nat64);
            let stage = world.stage(config);
            for row in group {
                let id = format!("{} with {entry}, metadata: {metadata}", row.id);
                leads_to(&stage, &id, row, row.tier <= most).await;
            }
        }
    }
}

async fn leads_to(stage: &Stage<'_>, id: &str, row: &TierRow, passes: bool) {
    let address = row.address;
    stage.world.names.answer(move |_| Some(vec![address]));
    let fetched = stage.call("fetch_url", json!({"url": "http://x.org/"})).await;
    let seen = stage.world.seen();
    assert_eq!(seen.asked, ["x.org"], "{id}");
    let error = fetched.err();
    assert_eq!(
        is_dialled(id, address, 80, &seen, error.as_ref()),
        passes,
        "{id}: {error:?}"
    );
    if !passes {
        let error = error.unwrap();
        assert_eq!(error.kind, ErrorKind::Denied, "{id}: {error}");
        says(id, &error.message, &[address.to_string(), "rule url_scope.".to_owned()]);
    }
    let report = stage.dial("dial_http", json!({"url": "http://x.org/"})).await;
    let seen = stage.world.seen();
    let answered = !is_unanswered(&report);
    assert_eq!(answered, passes && can_be_dialled(address), "{id}: {report}");
    assert_eq!(answered, !seen.connects.is_empty(), "{id}: {seen:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn r_all_answers_of_a_name_are_vetted_before_one_is_dialled() {
    if !crate::namespace::entered(
        module_path!(),
        "r_all_answers_of_a_name_are_vetted_before_one_is_dialled",
    ) {
        return;
    }
    let rows = addresses();
    let literals = rows.literals.iter().filter(|row| row.expect == Expect::Pass);
    let hosts: Vec<WebUrl> = rows.answers.iter().chain(literals).map(url_of).collect();
    let mut hosts: Vec<&str> = hosts
        .iter()
        .map(|url| url.host_text().trim_matches(['[', ']']))
        .collect();
    hosts.sort_unstable();
    hosts.dedup();
    let world = World::new(&hosts, &PORTS).await;
    for group in by_scope(rows.answers.into_iter().chain(rows.literals).collect()) {
        let (allow, deny, metadata) = group[0].scope();
        let mut config = world.config(&allow, &deny);
        config.url_scope.allow_metadata_endpoints = metadata;
        let stage = world.stage(config);
        for row in &group {
            one(&stage, row).await;
        }
    }
}

fn url_of(row: &Row) -> WebUrl {
    WebUrl::parse(&row.url).unwrap_or_else(|error| panic!("{}: {error}", row.id))
}

async fn one(stage: &Stage<'_>, row: &Row) {
    let id = &row.id;
    let answers = row.answers.clone();
    let public = vec![stage.world.names.of("x.org")];
    stage.world.names.answer({
        let answers = answers.clone().unwrap_or_else(|| public.clone());
        move |_| Some(answers.clone())
    });
    let fetched = stage.call("fetch_url", json!({ "url": row.url })).await;
    let seen = stage.world.seen();
    let scope = UrlScope::new(&row.allow, &row.deny, Options::default()).unwrap();
    let pins = WebUrl::parse(&row.url)
        .ok()
        .and_then(|url| Some(scope.pins(&url)?.to_vec()));
    if let Some(pins) = pins {
        // Whatever the name leads to, nobody is asked: where it is to lead is written down.
        let error = fetched.err();
        assert!(
            is_dialled(id, pins[0], 443, &seen, error.as_ref()),
            "{id}: {error:?} {seen:?}"
        );
        assert_eq!(seen.asked, [""; 0], "{id}");
        return;
    }
    match row.expect {
        Expect::Pass => {
            let url = url_of(row);
            let literal = url.host().address().map(|address| vec![address]);
            let addresses = literal.or(answers).unwrap_or(public);
            let error = fetched.err();
            let dialled = is_dialled(id, addresses[0], url.port(), &seen, error.as_ref());
            assert!(dialled, "{id}: {error:?} {seen:?}");
        }
        _ => {
            let error = fetched.expect_err(id);
            says(id, &error.message, &row.says);
            is_silent_of(id, &error.message, &row.silent);
            assert!(seen.connects.is_empty(), "{id}: {seen:?}");
            assert!(seen.asked.len() <= 1, "{id}: one question for one connection: {seen:?}");
            // A literal, or a name that is refused for itself, costs no question.
            if row.answers.is_none() {
                assert!(seen.asked.is_empty(), "{id}: {seen:?}");
            }
            for tool in ["dial_http", "dial_http_url", "dial_fetch"] {
                // Where the gate refuses it already, there is no report.
                if let Ok(report) = stage.call(tool, json!({ "url": row.url })).await {
                    assert!(is_unanswered(&report.into()), "{id}: {tool}");
                }
                let seen = stage.world.seen();
                assert!(seen.connects.is_empty(), "{id}: {tool}: {seen:?}");
            }
        }
    }
}
