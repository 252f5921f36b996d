//! The rows of addresses.json.

use std::net::IpAddr;

use serde::Deserialize;

use super::check_words;
use crate::scope::web::{Nat64Prefix, Options, Tier, UrlScope, WebUrl, tier, vet_chosen};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TierRow {
    id: String,
    #[serde(rename = "note")]
    _note: Option<String>,
    nat64: Option<String>,
    address: IpAddr,
    tier: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    #[serde(rename = "note")]
    _note: Option<String>,
    allow: Vec<String>,
    #[serde(default)]
    deny: Vec<String>,
    url: String,
    /// None where the host itself is an address.
    answers: Option<Vec<IpAddr>>,
    #[serde(default)]
    metadata: bool,
    expect: String,
    #[serde(default)]
    says: Vec<String>,
    #[serde(default)]
    silent: Vec<String>,
}

#[derive(Deserialize)]
struct Rows {
    tiers: Vec<TierRow>,
    answers: Vec<Row>,
    literals: Vec<Row>,
}

fn read() -> Rows {
    serde_json::from_str(include_str!("../../../../../tests/vectors/addresses.json")).unwrap()
}

#[test]
fn tiers() {
    let rows = read().tiers;
    assert!(rows.len() > 80);
    for row in rows {
        let nat64: Option<Nat64Prefix> = row.nat64.map(|text| text.parse().unwrap());
        let found = format!("{:?}", tier(row.address, nat64.as_ref())).to_lowercase();
        assert_eq!(found, row.tier, "{}: {}", row.id, row.address);
    }
}

#[test]
fn rows() {
    let Rows { answers, literals, .. } = read();
    assert!(answers.len() > 40 && literals.len() > 20);
    for row in answers.into_iter().chain(literals) {
        let options = Options {
            allow_metadata: row.metadata,
            nat64: None,
        };
        let scope = UrlScope::new(&row.allow, &row.deny, options).unwrap();
        let answer = WebUrl::parse(&row.url)
            .map_err(|error| error.to_string())
            .and_then(|url| {
                let judged = scope.judge(&url);
                let vetted = match &row.answers {
                    Some(answers) => {
                        assert_eq!(judged, Ok(()), "{}: the name alone passes", row.id);
                        scope.vet(&url, answers)
                    }
                    None => judged,
                };
                vetted.map_err(|refusal| refusal.to_string())
            });
        match (answer, row.expect.as_str()) {
            (Ok(()), "pass") => {}
            (Err(message), "refuse") => {
                assert!(!row.says.is_empty(), "{}: what does the message say?", row.id);
                check_words(&row.id, &message, &row.says, &row.silent);
            }
            (answer, _) => panic!("{}: {answer:?}", row.id),
        }
    }
}

#[test]
fn rules_are_named() {
    let scope = UrlScope::new(&["*".to_owned()], &["93.184.216.34".to_owned()], Options::default()).unwrap();
    let url = WebUrl::parse("https://x.org/").unwrap();
    for (address, rule) in [
        ("10.0.0.5", "url_scope.address"),
        ("255.255.255.255", "url_scope.address"),
        ("169.254.169.254", "url_scope.metadata"),
        ("93.184.216.34", "url_scope.deny[0]"),
    ] {
        assert_eq!(scope.vet(&url, &[address.parse().unwrap()]).unwrap_err().rule, rule);
    }
    // Besides the switch, this one would need an exact entry.
    let change = |address: &str| scope.vet(&url, &[address.parse().unwrap()]).unwrap_err().change;
    assert!(change("169.254.169.254").is_some());
    assert_eq!(change("fd00:ec2::254"), None);
    let url = WebUrl::parse("https://metadata.goog/").unwrap();
    assert_eq!(scope.judge(&url).unwrap_err().rule, "url_scope.metadata");
}

#[test]
fn pins_are_those_of_the_exact_entry() {
    let allow = ["*", "x.org:8443", "x.org=10.0.0.5,fc00::5"].map(str::to_owned);
    let scope = UrlScope::new(&allow, &[], Options::default()).unwrap();
    let pins = |url: &str| scope.pins(&WebUrl::parse(url).unwrap()).map(<[IpAddr]>::to_vec);
    let both = vec!["10.0.0.5".parse().unwrap(), "fc00::5".parse().unwrap()];
    assert_eq!(pins("https://X.org./"), Some(both));
    assert_eq!(pins("https://x.org:8443/"), None);
    assert_eq!(pins("https://y.org/"), None);
}

#[test]
fn targets_of_the_operator_may_be_private() {
    let vet = |list: &[&str]| vet_chosen(&list.iter().map(|text| text.parse().unwrap()).collect::<Vec<_>>(), None);
    assert_eq!(vet(&["10.0.0.5", "127.0.0.1", "8.8.8.8", "64:ff9b::808:808"]), Ok(()));
    let blocked = vet(&["10.0.0.5", "64:ff9b::a9fe:a9fe"]).unwrap_err();
    assert_eq!(
        (blocked.tier, blocked.address),
        (Tier::Metadata, "64:ff9b::a9fe:a9fe".parse().unwrap())
    );
    assert!(blocked.to_string().contains("169.254.169.254"), "{blocked}");
    assert_eq!(vet(&["169.254.169.254", "224.0.0.1"]).unwrap_err().tier, Tier::Never);
}

#[test]
fn prefixes_of_translators() {
    for good in ["64:ff9b::/96", "2001:db8::/32", "2001:db8:1:2::/64"] {
        assert!(good.parse::<Nat64Prefix>().is_ok(), "{good}");
    }
    for bad in [
        "",
        "64:ff9b::",
        "64:ff9b::/95",
        "64:ff9b::1/96",
        "1.2.3.4/32",
        "2001:db8:1::/32",
        "2001:db8:0:0:100::/96",
    ] {
        let error = bad.parse::<Nat64Prefix>().unwrap_err().to_string();
        assert!(error.contains(&format!("{bad:?}")) && error.contains("/96"), "{error}");
    }
}
