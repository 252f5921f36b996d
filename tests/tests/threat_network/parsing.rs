//! N05: whatever text is taken as a URL names the host that the usual parser finds in it, and stays what it is.

use reqwest::Url;
use toolgate::scope::web::{Host, WebUrl};

use crate::rows::{addresses, urls};

/// Texts that are tried.
const TEXTS: usize = 20_000;

/// What URLs are made of, and what parsers stumble over.
const PIECES: &str = "http https HTTPS ftp file :// : // / \\ @ # ? % %2e %2f %40 %00 %25 [ ] [::1] [::ffff:7f00:1] \
                      127.0.0.1 0x7f.1 0177.1 2130706433 256.1.1.1 . .. 。 ． x X example.com EXAMPLE.com xn--bcher-kva \
                      bücher ß ı İ ﬀ ① ０ \u{ad} \u{200d} \u{202e} \u{fe0f} \u{feff} - _ * ~ + & = ; , ! $ ' ( | ^ ` { \
                      :80 :443 :0 :65536 :00080 xn-- xn--a a.b.c %c3%bc %EF%BC%8E";

/// Pieces that end the others.
const BLANKS: [&str; 7] = ["\0", "\t", "\n", "\r", " ", "\u{a0}", "\u{3000}"];

/// A generator of numbers that is the same in each run (Marsaglia, Xorshift RNGs, 2003).
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// A text of nothing but pieces, or a URL of the vectors with a few of them in it.
fn text(draw: &mut Draw, pieces: &[&str], urls: &[&str]) -> String {
    let mut text = match draw.below(4) {
        0 => String::new(),
        1 => ["https://", "http://"][draw.below(2)].to_owned(),
        _ => draw.of(urls).to_owned(),
    };
    let count = 1 + draw.below(if text.len() < 9 { 8 } else { 3 });
    for _ in 0..count {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let at = match text.len() < 9 {
            true => text.len(),
            false => places[draw.below(places.len())],
        };
        match draw.below(8) {
            0 if at < text.len() => drop(text.remove(at)),
            1 => text.insert_str(at, draw.of(&BLANKS)),
            _ => text.insert_str(at, draw.of(pieces)),
        }
    }
    text
}

#[test]
fn n05_a_host_is_what_the_parser_finds() {
    let (rows, addresses) = (urls(), addresses());
    let all = rows.iter().chain(&addresses.answers).chain(&addresses.literals);
    let urls: Vec<&str> = all.map(|row| row.url.as_str()).filter(|url| !url.is_empty()).collect();
    let pieces: Vec<&str> = PIECES.split_ascii_whitespace().collect();
    let mut draw = Draw(0x2545_f491_4f6c_dd1d);
    let (mut taken, mut names) = (0, 0);
    for _ in 0..TEXTS {
        let text = text(&mut draw, &pieces, &urls);
        let Ok(url) = WebUrl::parse(&text) else {
            continue;
        };
        taken += 1;
        is_the_same(&text, &url);
        names += usize::from(matches!(url.host(), Host::Name(_)));
    }
    assert!(
        taken > TEXTS / 20 && names > taken / 2,
        "{taken} of {TEXTS} are URLs, {names} of them with names"
    );
}

fn is_the_same(text: &str, url: &WebUrl) {
    let parsed = Url::parse(text).unwrap_or_else(|error| panic!("{text:?} is taken: {error}"));
    let host = parsed.host_str().unwrap();
    assert_eq!(url.host_text(), host.strip_suffix('.').unwrap_or(host), "{text:?}");
    assert_eq!(Some(url.port()), parsed.port_or_known_default(), "{text:?}");
    assert_eq!(url.scheme().name(), parsed.scheme(), "{text:?}");
    let target = |url: &Url| format!("{}?{:?}", url.path(), url.query());
    assert_eq!(target(url.url()), target(&parsed), "{text:?}");
    assert!(parsed.username().is_empty() && parsed.password().is_none(), "{text:?}");
    // What is sent and recorded reads the same, whoever reads it.
    let normal = url.as_str();
    assert_eq!(WebUrl::parse(normal).as_ref(), Ok(url), "{text:?} becomes {normal:?}");
    assert_eq!(Url::parse(normal).unwrap().as_str(), normal, "{text:?}");
    assert!(
        normal.is_ascii() && !normal.contains(['#', ' ', '\\']) || normal.contains('?'),
        "{text:?}: {normal:?}"
    );
    let authority = &normal[normal.find("//").unwrap() + 2..];
    let authority = &authority[..authority.find('/').unwrap()];
    assert!(!authority.contains(['@', '%', '*']), "{text:?}: {normal:?}");
    match url.host() {
        Host::Name(name) => {
            assert_eq!(name, url.host_text(), "{text:?}");
            assert!(name.split('.').all(|label| !label.is_empty()), "{text:?}");
            assert!(
                name.parse::<std::net::IpAddr>().is_err(),
                "{text:?}: an address that is no name"
            );
        }
        // As it was written: of an address there is one spelling.
        Host::V4(address) => assert!(text.contains(&address.to_string()), "{text:?}"),
        Host::V6(address) => assert_eq!(
            url.host_text(),
            Url::parse(&format!("http://[{address}]")).unwrap().host_str().unwrap(),
            "{text:?}"
        ),
    }
}
