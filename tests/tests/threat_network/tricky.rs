//! N04, N05, U17, U48: URLs that parsers read in different ways. Whoever is meant, only the listed host is dialled.

use serde_json::json;
use toolgate::scope::web::WebUrl;

use crate::stage::{World, is_unanswered};

/// The host that is listed.
const LISTED: &str = "listed.org";

/// URLs in which `listed.org`, or something like it, stands beside other hosts.
const URLS: &str = r"
http://listed.org/
http://LISTED.ORG/
http://listed.org./
http://listed.org:80/
http://listed.org:00080/
http://listed.org:/
http://listed.org?evil.org
http://listed.org#evil.org
http://listed.org/#@evil.org/
http://listed.org/@evil.org
http://listed.org/http://evil.org/
http://listed.org/..//evil.org/
http://listed.org/\evil.org
http://listed.org//evil.org
http://listed.org?@evil.org/
http://listed.org#@evil.org/
http://listed.org/?url=http://169.254.169.254/
http://listed.org/%2f%2fevil.org
http://listed.org/%5c%5cevil.org
http://listed.org;evil.org/
http://listed.org,evil.org/
http://listed.org&evil.org/
http://listed.org=evil.org/
http://listed.org|evil.org/
http://listed.org+evil.org/
http://listed.org!evil.org/
http://listed.org$evil.org/
http://listed.org'evil.org/
http://listed.org(evil.org)/
http://listed.org*evil.org/
http://listed.org~evil.org/
http://listed.org`evil.org/
http://listed.org^evil.org/
http://listed.org{evil.org}/
http://listed.org<evil.org>/
http://listed.org\evil.org/
http://listed.org\@evil.org/
http://listed.org\.evil.org/
http://listed.org@evil.org/
http://listed.org:80@evil.org/
http://listed.org:x@evil.org/
http://listed.org%40evil.org/
http://listed.org%2f@evil.org/
http://listed.org%2eevil.org/
http://listed.org%5c@evil.org/
http://listed.org%00evil.org/
http://listed.org%00.evil.org/
http://listed.org%0d%0a.evil.org/
http://listed.org%23@evil.org/
http://listed.org%3f@evil.org/
http://listed.org%20evil.org/
http://listed.org.evil.org/
http://listed.orgevil.org/
http://evil.org/listed.org
http://evil.org/@listed.org
http://evil.org?listed.org
http://evil.org#listed.org
http://evil.org#@listed.org/
http://evil.org?@listed.org/
http://evil.org\@listed.org/
http://evil.org\listed.org/
http://evil.org;@listed.org/
http://evil.org:80#@listed.org/
http://evil.org:80@listed.org/
http://evil.org:80\@listed.org/
http://evil.org%2f@listed.org/
http://evil.org%23@listed.org/
http://evil.org%5c@listed.org/
http://a@b@listed.org/
http://a@evil.org@listed.org/
http://a:b@evil.org:80@listed.org/
http://@listed.org/
http://:@listed.org/
http://listed.org:@evil.org/
http://listed.org:80:80/
http://listed.org:80:evil.org/
http://listed.org:evil.org/
http://listed.org:0/
http://listed.org:65536/
http://listed.org:4294967376/
http://listed.org:-80/
http://listed.org:+80/
http://listed.org:8 0/
http://listed.org:80.evil.org/
http://listed.org:８０/
http://listed.org:0x50/
http:listed.org/
http:/listed.org/
http:///listed.org/
http:////listed.org/
http://///listed.org/
http:\\listed.org/
http:/\listed.org/
http:\/listed.org/
http:@listed.org/
http:/@listed.org/
http://[listed.org]/
http://[::1]listed.org/
http://[::1]@listed.org/
http://[::1%25listed.org]/
http://listed.org[::1]/
http://[listed.org/
http://listed.org]/
http://l%69sted.org/
http://%6cisted.org/
http://listed%2eorg/
http://listed。org/
http://listed．org/
http://listed｡org/
http://ｌｉｓｔｅｄ.org/
http://𝐥𝐢𝐬𝐭𝐞𝐝.org/
http://ⓛⓘⓢⓣⓔⓓ.org/
http://liﬆed.org/
http://liſted.org/
http://lısted.org/
http://LİSTED.org/
http://lіsted.org/
http://ⅼisted.org/
http://xn--listed-.org/
http://xn--listed.org/
http://*.listed.org/
http://.listed.org/
http://listed..org/
http://listed.org../
http://-listed.org/
http://listed.org-/
http://_listed.org/
http://sub.listed.org/
http://listed.org.listed.org/
https:http://listed.org/
http://http://listed.org/
http://http:80@listed.org/
http://listed.org@169.254.169.254/
http://169.254.169.254#@listed.org/
http://169.254.169.254\@listed.org/
http://169.254.169.254?@listed.org/
http://169.254.169.254%2f@listed.org/
http://169.254.169.254/listed.org
http://127.0.0.1:80@listed.org/
http://listed.org.@127.0.0.1/
http://listed.org:80@[::1]/
HTTP://listed.org/
hTTp://listed.org/
httP:\\evil.org\@listed.org/
view-source:http://listed.org/
jar:http://listed.org!/
blob:http://listed.org/1
url:http://listed.org/
//listed.org/
\\listed.org\
listed.org/
listed.org:80/
ws://listed.org/
ftp://listed.org/
ldap://listed.org/
dict://listed.org:80/
";

/// The same with what parsers cut off, skip or stumble over.
const BLANKS: [&str; 16] = [
    "\t", "\n", "\r", "\r\n", " ", "\0", "\u{b}", "\u{c}", "\u{7f}", "\u{85}", "\u{a0}", "\u{ad}", "\u{200b}",
    "\u{2028}", "\u{feff}", "\u{202e}",
];

fn urls() -> Vec<String> {
    let mut all: Vec<String> = URLS
        .lines()
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect();
    for blank in BLANKS {
        for template in [
            "?http://listed.org/",
            "http://listed.org/?",
            "http://listed?.org/",
            "http://listed.org?.evil.org/",
            "http://listed.org?@evil.org/",
            "http:?//listed.org/",
            "http:/?/evil.org/listed.org/",
            "ht?tp://listed.org/",
            "http://evil.org?listed.org/",
            "http://listed.org:8?0/",
        ] {
            all.push(template.replace('?', blank));
        }
    }
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn n05_only_the_listed_host_is_dialled() {
    if !crate::namespace::entered(module_path!(), "n05_only_the_listed_host_is_dialled") {
        return;
    }
    let urls = urls();
    assert!(urls.len() > 300, "{}", urls.len());
    let world = World::new(&[], &[80]).await;
    let stage = world.stage(world.config(&["http://listed.org"], &[]));
    // The entry admits https as well.
    let listed = world.names.of(LISTED);
    let own = [format!("{listed}:80"), format!("{listed}:443")];
    let mut passed = 0;
    for url in &urls {
        let explained = stage.explain("fetch_url", url);
        for tool in ["fetch_url", "dial_fetch", "dial_http_url", "dial_http"] {
            let called = stage.call(tool, json!({ "url": url })).await;
            let seen = world.seen();
            assert!(
                seen.connects.iter().all(|at| own.contains(at)),
                "{tool} {url:?}: {seen:?}"
            );
            assert!(seen.asked.iter().all(|name| name == LISTED), "{tool} {url:?}: {seen:?}");
            for arrived in &seen.arrived {
                let hosts: Vec<_> = arrived.request.headers_named("host").collect();
                assert_eq!(hosts, [LISTED], "{tool} {url:?}");
                assert!(!arrived.request.target.contains('#'), "{tool} {url:?}");
            }
            if tool == "dial_http" {
                let report = called.unwrap().into();
                assert_eq!(seen.arrived.is_empty(), is_unanswered(&report), "{url:?}: {report}");
                continue;
            }
            // What the gate says is what happens.
            assert_eq!(
                explained.is_ok(),
                called.is_ok(),
                "{tool} {url:?}: {explained:?} {called:?}"
            );
            if let Ok(judged) = &explained {
                assert_eq!(WebUrl::parse(judged).unwrap().host_text(), LISTED, "{url:?}");
                let path = &judged["http://listed.org".len()..];
                let targets: Vec<_> = seen
                    .arrived
                    .iter()
                    .map(|arrived| arrived.request.target.as_str())
                    .collect();
                // This guest takes the URL apart as it was given, not as it was granted.
                let own = tool == "dial_http_url" && targets.is_empty();
                assert!(targets == [path] || own, "{tool} {url:?}: {targets:?}");
                if own {
                    assert!(is_unanswered(&called.unwrap().into()), "{url:?}");
                }
                passed += usize::from(tool == "fetch_url");
            }
        }
    }
    assert!(passed >= 20, "{passed} of {} URLs mean the listed host", urls.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn n05_no_disguise_gets_past_a_deny_entry() {
    if !crate::namespace::entered(module_path!(), "n05_no_disguise_gets_past_a_deny_entry") {
        return;
    }
    let world = World::new(&[], &[80]).await;
    let stage = world.stage(world.config(&["http://*:*"], &["listed.org", "*.listed.org"]));
    let to = format!("{}:80", world.names.of(LISTED));
    for url in urls() {
        for tool in ["fetch_url", "dial_http"] {
            let called = stage.call(tool, json!({ "url": url })).await;
            let seen = world.seen();
            assert!(!seen.connects.contains(&to), "{tool} {url:?}: {seen:?}");
            for name in &seen.asked {
                assert!(
                    name != LISTED && !name.ends_with(".listed.org"),
                    "{tool} {url:?}: {seen:?} {called:?}"
                );
            }
            for arrived in &seen.arrived {
                // Whoever was dialled is who was asked for.
                let name = world.names.at(arrived.to.ip()).unwrap();
                let host = arrived.request.header("host").unwrap();
                assert_eq!(host.split(':').next(), Some(name.as_str()), "{tool} {url:?}");
            }
        }
    }
}
