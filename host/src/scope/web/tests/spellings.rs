//! Spellings of addresses, thousands of them: none reaches an address that is not public (N02).

use std::net::Ipv4Addr;

use crate::scope::web::{Options, Tier, UrlScope, WebUrl, tier};

const HIDDEN: &[Ipv4Addr] = &[
    Ipv4Addr::new(127, 0, 0, 1),
    Ipv4Addr::new(169, 254, 169, 254),
    Ipv4Addr::new(10, 0, 0, 1),
    Ipv4Addr::new(172, 16, 0, 1),
    Ipv4Addr::new(192, 168, 0, 1),
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(168, 63, 129, 16),
    Ipv4Addr::new(0, 0, 0, 0),
    Ipv4Addr::new(255, 255, 255, 255),
    Ipv4Addr::new(224, 0, 0, 1),
];

/// One number as resolvers and browsers read it.
fn numbers(number: u32) -> [String; 6] {
    [
        number.to_string(),
        format!("{number:#x}"),
        format!("0X{number:X}"),
        format!("0{number:o}"),
        format!("0x0000{number:x}"),
        format!("0000{number:o}"),
    ]
}

/// Every mixture of the forms of one to four numbers.
fn spellings(address: Ipv4Addr) -> Vec<String> {
    let [a, b, c, d] = address.octets().map(u32::from);
    let bits = address.to_bits();
    let mut all = Vec::new();
    for parts in [
        vec![bits],
        vec![a, bits & 0xff_ffff],
        vec![a, b, bits & 0xffff],
        vec![a, b, c, d],
    ] {
        let mut texts = vec![String::new()];
        for part in parts {
            texts = texts
                .iter()
                .flat_map(|text| numbers(part).map(|number| format!("{text}.{number}")))
                .collect();
        }
        all.extend(texts.into_iter().map(|text| text[1..].to_owned()));
    }
    all
}

/// The same text in characters that IDNA maps to ASCII.
fn full_width(text: &str) -> String {
    let wide = |char: char| match char {
        '.' => '。',
        char => char::from_u32(u32::from(char) + 0xfee0).unwrap(),
    };
    text.chars().map(wide).collect()
}

#[test]
fn no_spelling_of_a_hidden_address_passes() {
    let scope = UrlScope::new(&["http://*:*".to_owned()], &[], Options::default()).unwrap();
    let mut tried = 0;
    let mut refuse = |host: &str| {
        tried += 1;
        let text = format!("http://{host}/");
        if let Ok(url) = WebUrl::parse(&text) {
            let address = url.host().address().unwrap_or_else(|| panic!("{text} is a name"));
            assert_ne!(tier(address, None), Tier::Public, "{text}");
            assert!(scope.judge(&url).is_err(), "{text}");
        }
    };
    for address in HIDDEN {
        let canonical = address.to_string();
        for text in spellings(*address) {
            for host in [text.clone(), format!("{text}."), full_width(&text)] {
                refuse(&host);
                let taken = WebUrl::parse(&format!("http://{host}/")).is_ok();
                assert_eq!(taken, host == canonical, "only the usual spelling is read: {host}");
            }
        }
        let [a, b, c, d] = address.octets();
        let (high, low) = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
        for host in [
            format!("[::{canonical}]"),
            format!("[::ffff:{canonical}]"),
            format!("[::FFFF:{high:X}:{low:X}]"),
            format!("[0:0:0:0:0:ffff:{high:04x}:{low:04x}]"),
            format!("[::ffff:0:{canonical}]"),
            format!("[64:ff9b::{canonical}]"),
            format!("[64:ff9b:1::{canonical}]"),
            format!("[64:ff9b:1:{high:x}:{c:x}:{d:x}00::]"),
            format!("[2002:{high:x}:{low:x}::1]"),
            format!("[2001::{:x}:{:x}]", !high, !low),
            format!("{canonical}:8080"),
        ] {
            refuse(&host);
        }
    }
    assert!(tried > 5_000, "{tried}");
}
