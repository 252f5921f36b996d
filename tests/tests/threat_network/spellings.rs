//! N02, R39: addresses in thousands of spellings. Whatever a parser would make of one, nothing private is dialled.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr};

use serde_json::json;
use toolgate::scope::web::{Tier, WebUrl, tier};

use crate::stage::{ALL, World, is_unanswered};

/// Addresses that no request may reach with wildcard entries, and two that it may.
const ADDRESSES: [Ipv4Addr; 12] = [
    Ipv4Addr::new(127, 0, 0, 1),
    Ipv4Addr::new(127, 255, 255, 254),
    Ipv4Addr::new(169, 254, 169, 254),
    Ipv4Addr::new(10, 0, 0, 1),
    Ipv4Addr::new(172, 16, 0, 1),
    Ipv4Addr::new(192, 168, 1, 1),
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(168, 63, 129, 16),
    Ipv4Addr::new(0, 0, 0, 0),
    Ipv4Addr::new(255, 255, 255, 255),
    Ipv4Addr::new(8, 8, 8, 8),
    Ipv4Addr::new(93, 184, 216, 34),
];

/// One number in the spellings that some parser knows: decimal, octal and hexadecimal, with zeros in
/// front, with capital letters, and beyond the width of its place.
fn number(value: u32) -> Vec<String> {
    vec![
        format!("{value}"),
        format!("0{value:o}"),
        format!("000{value:o}"),
        format!("0x{value:x}"),
        format!("0X{value:X}"),
        format!("0x0000{value:x}"),
    ]
}

/// The one to four numbers of an address, each of them in any spelling.
fn numbers(address: Ipv4Addr) -> BTreeSet<String> {
    let [a, b, c, d] = address.octets().map(u32::from);
    let whole = u32::from(address);
    let mut all = BTreeSet::new();
    for parts in [
        vec![whole],
        vec![a, whole & 0xff_ffff],
        vec![a, b, whole & 0xffff],
        vec![a, b, c, d],
    ] {
        // Every spelling in every place, beside places of one spelling.
        for usual in 0..6 {
            for place in 0..parts.len() {
                for other in 0..6 {
                    let spelt =
                        |(at, part): (usize, &u32)| number(*part)[if at == place { other } else { usual }].clone();
                    let spelt: Vec<String> = parts.iter().enumerate().map(spelt).collect();
                    all.insert(spelt.join("."));
                }
            }
        }
    }
    let [a, b, c, d] = address.octets();
    for choice in 0..256 {
        let spelt = [
            (a, choice & 3),
            (b, choice >> 2 & 3),
            (c, choice >> 4 & 3),
            (d, choice >> 6 & 3),
        ];
        all.insert(spelt.map(|(part, way)| number(part.into())[way].clone()).join("."));
    }
    // What overflows comes back to the same number in parsers that do not look.
    all.insert((u64::from(whole) + (1 << 32)).to_string());
    all.insert(format!("{}.{b}.{c}.{d}", u32::from(a) + 256));
    all.insert(format!("{a}.{b}.{c}.{}", u32::from(d) + 256));
    all.insert(format!("{a:03}.{b:03}.{c:03}.{d:03}"));
    all
}

/// The same text in characters that are mapped to its own.
fn disguised(text: &str) -> Vec<String> {
    let map = |map: &dyn Fn(char) -> char| text.chars().map(map).collect::<String>();
    let digit = |char: char, zero: u32| match char.to_digit(10) {
        Some(digit) => char::from_u32(zero + digit).unwrap(),
        None => char,
    };
    let circled = |char: char| match char.to_digit(10) {
        Some(0) => '⓪',
        Some(digit) => char::from_u32(0x2460 + digit - 1).unwrap(),
        None => char,
    };
    vec![
        map(&|char| digit(char, 0xff10)),
        map(&|char| digit(char, 0x1d7ce)),
        map(&|char| digit(char, 0x1d7f6)),
        map(&circled),
        text.replace('.', "。"),
        text.replace('.', "．"),
        text.replace('.', "｡"),
        text.replace('.', "%2e"),
        format!("{text}."),
        format!("{text}.."),
        format!("{text}\u{ad}"),
        format!("{text}%00.example.org"),
        format!("%{:02x}{}", text.as_bytes()[0], &text[1..]),
        format!("a@{text}"),
        format!("example.org\\@{text}"),
        format!("[{text}]"),
    ]
}

/// Addresses of version 6 that hold one of version 4.
fn embedding(address: Ipv4Addr) -> Vec<String> {
    let [a, b, c, d] = address.octets();
    let hex = format!("{a:02x}{b:02x}:{c:02x}{d:02x}");
    let inverted = format!("{:02x}{:02x}:{:02x}{:02x}", !a, !b, !c, !d);
    let mut all = Vec::new();
    for prefix in [
        "::ffff:",
        "0:0:0:0:0:ffff:",
        "0000:0000:0000:0000:0000:FFFF:",
        "::",
        "::ffff:0:",
        "64:ff9b::",
        "64:ff9b:1::",
    ] {
        all.extend([format!("[{prefix}{hex}]"), format!("[{prefix}{address}]")]);
        all.push(format!("[{prefix}{hex}%25lo]"));
    }
    all.push(format!("[2002:{hex}::1]"));
    all.push(format!("[2001:0:0:0:0:0:{inverted}]"));
    all
}

fn hosts() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for address in ADDRESSES {
        let numbers = numbers(address);
        for text in [
            address.to_string(),
            u32::from(address).to_string(),
            format!("{:#x}", u32::from(address)),
        ] {
            all.extend(disguised(&text));
        }
        all.extend(numbers);
        all.extend(embedding(address));
    }
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn n02_no_spelling_of_an_address_opens_it() {
    if !crate::namespace::entered(module_path!(), "n02_no_spelling_of_an_address_opens_it") {
        return;
    }
    let hosts = hosts();
    assert!(hosts.len() > 5_000, "{} spellings", hosts.len());
    let world = World::new(&[], &[80]).await;
    // A resolver that knows them all, as that of the C library would, and gives what they mean.
    world
        .names
        .answer(|name| Some(vec![meaning(name).unwrap_or(Ipv4Addr::LOCALHOST.into())]));
    let stage = world.stage(world.config(&ALL, &[]));
    let mut sent = BTreeSet::new();
    for host in &hosts {
        let url = format!("http://{host}/");
        let fetched = stage.call("fetch_url", json!({ "url": url })).await;
        let report = stage.dial("dial_http", json!({ "url": url })).await;
        let answered = fetched.is_ok() || !is_unanswered(&report);
        let judged = WebUrl::parse(&url).ok().and_then(|url| url.host().address());
        match judged {
            Some(address) => assert_eq!(
                fetched.is_ok(),
                tier(address, None) == Tier::Public,
                "{host}: {fetched:?}"
            ),
            None => assert!(!answered, "{host}: {fetched:?} {report}"),
        }
        if answered {
            sent.insert(judged.unwrap().to_canonical());
        }
    }
    let connects: BTreeSet<IpAddr> = world
        .observer
        .connects()
        .into_iter()
        .map(|to| to.ip().to_canonical())
        .collect();
    assert_eq!(connects, sent, "what was dialled is what answered");
    let public = ADDRESSES
        .map(IpAddr::from)
        .into_iter()
        .filter(|address| tier(*address, None) == Tier::Public);
    assert_eq!(
        sent,
        public.collect(),
        "public addresses in their usual spelling, and no others"
    );
    assert_eq!(world.names.asked(), [""; 0], "none of them is a name");
}

/// What `getaddrinfo` makes of numbers with dots.
fn meaning(name: &str) -> Option<IpAddr> {
    let url = reqwest::Url::parse(&format!("http://{name}/")).ok()?;
    url.host_str()?.parse().ok()
}
