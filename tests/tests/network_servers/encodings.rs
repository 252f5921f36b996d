//! N08: compressed bodies, proper ones, bombs and others.

use serde_json::json;
use toolgate::ErrorKind;
use toolgate_tests::net::{Script, Step, scripts};

use crate::cases::{Case, all_refused};
use crate::stage::{GOOD, Stage, site};

const MIB: u64 = 1 << 20;

/// What messages say of encodings that were not asked for.
const ASKED: &str = "this host asks for one of gzip, br, deflate";

/// What messages say of bombs.
const BOMB: &[&str] = &["body of http://127.0.0.1", "unpacks to more than 100 times", "came in"];

/// A large scope, so that the ratio decides before it.
fn large(config: &mut toolgate::Config) {
    config.url_scope.max_body_bytes = 16 << 20;
}

#[test]
fn n08_proper_encodings_are_undone() {
    let text = "täglich ".repeat(1000);
    let twice = [scripts::gzip(b"one ".as_slice()), scripts::gzip(b"two".as_slice())].concat();
    let server = site(vec![
        ("/gzip", scripts::gzip_ok(&text)),
        ("/x-gzip", scripts::encoded("X-GZip", scripts::gzip(text.as_bytes()))),
        ("/brotli", scripts::brotli_ok(&text)),
        ("/zlib", scripts::encoded("deflate", scripts::zlib(text.as_bytes()))),
        ("/identity", scripts::encoded("identity", &text)),
        (
            "/also",
            scripts::encoded("identity, gzip", scripts::gzip(text.as_bytes())),
        ),
        ("/members", scripts::encoded("gzip", twice)),
    ]);
    let stage = Stage::new(&[server.url("/")]);
    for path in ["/gzip", "/x-gzip", "/brotli", "/zlib", "/identity", "/also"] {
        let page = stage.page(&server.url(path));
        assert_eq!(page["body"], text.as_str(), "{path}");
        assert_eq!(
            (&page["bytes"], &page["truncated"]),
            (&text.len().into(), &false.into()),
            "{path}"
        );
        // What the server declares is the size of something else.
        assert_eq!(page.contains_key("total_bytes"), path == "/identity", "{path}");
    }
    assert_eq!(stage.page(&server.url("/members"))["body"], "one two");
    for request in server.recorder().requests() {
        assert_eq!(request.header("accept-encoding"), Some("gzip, br, deflate"));
    }
    assert_eq!(server.recorder().connections().len(), 1);
}

#[test]
fn n08_bombs_are_refused_by_their_ratio() {
    all_refused(
        vec![
            // Far below the scope of 16 MiB: only the ratio can refuse it.
            Case::limit("/small-gzip", scripts::gzip_bomb(MIB), BOMB),
            Case::limit("/gzip", scripts::gzip_bomb(64 * MIB), BOMB),
            Case::limit("/small-brotli", scripts::brotli_bomb(MIB), BOMB),
            Case::limit("/brotli", scripts::brotli_bomb(64 * MIB), BOMB),
            Case::limit("/small-zlib", scripts::zlib_bomb(MIB), BOMB),
            Case::limit("/zlib", scripts::zlib_bomb(64 * MIB), BOMB),
        ],
        large,
    );
}

#[test]
fn n08_bombs_are_cut_at_the_scope_like_any_body() {
    let html = |body: Vec<u8>| {
        let headers = [("Content-Type", "text/html"), ("Content-Encoding", "gzip")];
        scripts::answer(200, &headers, body)
    };
    let server = site(vec![
        ("/gzip", scripts::gzip_bomb(64 * MIB)),
        ("/brotli", scripts::brotli_bomb(64 * MIB)),
        ("/zlib", scripts::zlib_bomb(64 * MIB)),
        ("/html", html(scripts::gzip(scripts::zeros(64 * MIB)))),
    ]);
    let stage = Stage::new(&[server.url("/")]);
    for path in ["/gzip", "/brotli", "/zlib"] {
        let page = stage.page(&server.url(path));
        assert_eq!(
            (&page["bytes"], &page["truncated"]),
            (&65_536.into(), &true.into()),
            "{path}"
        );
        assert!(!page.contains_key("total_bytes"), "{path}");
        stage.is_well_at(&server.url(GOOD));
    }
    // A conversion reads more than it returns, and that is bounded as well.
    let arguments = json!({"url": server.url("/html"), "format": "markdown"});
    match stage.call("fetch_url", arguments) {
        Ok(page) => assert!(page["bytes"].as_u64().unwrap() <= 65_536, "{}", page["bytes"]),
        Err(error) => assert_eq!(error.kind, ErrorKind::Limit, "{error}"),
    }
    stage.is_well_at(&server.url(GOOD));
}

#[test]
fn n08_other_encodings_are_refused_by_name() {
    let lines = scripts::answer(
        200,
        &[("Content-Encoding", "gzip"), ("Content-Encoding", "br")],
        "whatever it is",
    );
    all_refused(
        vec![
            Case::unavailable("/twice", scripts::nested_gzip("text", 2), &["\"gzip, gzip\"", ASKED]),
            Case::unavailable("/bomb", scripts::nested_gzip_bomb(64 * MIB), &["\"gzip, gzip\"", ASKED]),
            Case::unavailable("/lines", lines, &["\"gzip, br\"", ASKED]),
            Case::unavailable(
                "/zstd",
                scripts::encoded("zstd", b"\x28\xb5\x2f\xfd"),
                &["\"zstd\"", ASKED],
            ),
            Case::unavailable("/odd", scripts::encoded("\"gzip\x1b[31m\"", "x"), &["no HTTP"]),
            Case::unavailable("/wild", scripts::encoded("*", "x"), &["\"*\"", ASKED]),
        ],
        |_| (),
    );
}

#[test]
fn n08_damaged_encodings_are_refused() {
    let text = "some text that is worth packing, ".repeat(40);
    let half = |bytes: Vec<u8>| bytes[..bytes.len() / 2].to_vec();
    let unpacked = &["body", "cannot be unpacked"];
    all_refused(
        vec![
            Case::unavailable("/broken", scripts::gzip_broken(&text), unpacked),
            Case::unavailable("/text", scripts::encoded("gzip", &text), unpacked),
            Case::unavailable(
                "/half-gzip",
                scripts::encoded("gzip", half(scripts::gzip(text.as_bytes()))),
                unpacked,
            ),
            Case::unavailable(
                "/half-br",
                scripts::encoded("br", half(scripts::brotli(text.as_bytes()))),
                unpacked,
            ),
            Case::unavailable(
                "/half-zlib",
                scripts::encoded("deflate", half(scripts::zlib(text.as_bytes()))),
                unpacked,
            ),
            Case::unavailable(
                "/gzip-as-br",
                scripts::encoded("br", scripts::gzip(text.as_bytes())),
                unpacked,
            ),
        ],
        |_| (),
    );
}

#[test]
fn n08_what_follows_an_encoding_is_no_content() {
    let text = "some text";
    let and_more = |bytes: Vec<u8>| [bytes, b"and more".to_vec()].concat();
    let server = site(vec![
        (
            "/br",
            scripts::encoded("br", and_more(scripts::brotli(text.as_bytes()))),
        ),
        (
            "/zlib",
            scripts::encoded("deflate", and_more(scripts::zlib(text.as_bytes()))),
        ),
        (
            "/gzip",
            scripts::encoded("gzip", and_more(scripts::gzip(text.as_bytes()))),
        ),
    ]);
    let stage = Stage::new(&[server.url("/")]);
    for path in ["/br", "/zlib"] {
        let page = stage.page(&server.url(path));
        assert_eq!(
            (&page["body"], &page["truncated"]),
            (&text.into(), &false.into()),
            "{path}"
        );
        stage.is_well_at(&server.url(GOOD));
    }
    // Where another member may follow, what follows has to be one.
    stage.refuses(
        &server.url("/gzip"),
        ErrorKind::Unavailable,
        &["body", "cannot be unpacked"],
    );
    // None of the three connections was used for another request.
    let requests = server.recorder().requests();
    let connections = requests.iter().map(|request| (request.path(), request.connection));
    let connections: Vec<_> = connections.collect();
    assert_eq!(
        connections,
        [("/br", 0), (GOOD, 1), ("/zlib", 1), (GOOD, 2), ("/gzip", 2)]
    );
}

#[test]
fn n08_nothing_in_an_encoding_is_nothing() {
    let coded = [("Content-Type", "text/plain"), ("Content-Encoding", "gzip")];
    let server = site(vec![
        ("/no-content", scripts::answer(204, &coded, "")),
        ("/not-modified", scripts::answer(304, &coded, "")),
        ("/empty", scripts::answer(200, &coded, "")),
        ("/member", scripts::encoded("gzip", scripts::gzip(b"".as_slice()))),
    ]);
    let stage = Stage::new(&[server.url("/")]);
    for (path, status) in [
        ("/no-content", 204),
        ("/not-modified", 304),
        ("/empty", 200),
        ("/member", 200),
    ] {
        let page = stage.page(&server.url(path));
        assert_eq!((&page["status"], &page["body"]), (&status.into(), &"".into()), "{path}");
        assert_eq!(page["truncated"], false, "{path}");
    }
}

/// Bodies that bring bytes without end, of which nothing is left when they are unpacked.
pub(crate) fn endless_nothing() -> [(&'static str, Script); 3] {
    let endless = |encoding: &str, start: &[u8], bytes: &[u8]| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: {encoding}\r\n\r\n");
        let start = [head.as_bytes(), start].concat();
        vec![Step::Send(start), Step::Endless(bytes.repeat(4096))]
    };
    let member = scripts::gzip(b"".as_slice());
    // RFC 1952, section 2.3: a member whose file name never ends.
    let named = [0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 255];
    // RFC 1951, section 3.2.4: stored blocks of no bytes, none of them the last.
    let stored = [0, 0, 0, 0xff, 0xff];
    [
        ("/members", endless("gzip", b"", &member)),
        ("/name", endless("gzip", &named, b"n")),
        ("/blocks", endless("deflate", &[0x78, 0x9c], &stored)),
    ]
}

#[test]
fn n08_endless_bytes_that_unpack_to_nothing_are_cut_off() {
    let cases = endless_nothing()
        .into_iter()
        .map(|(path, script)| Case::limit(path, script, &["body of http://127.0.0.1", "bytes came in"]));
    let server = all_refused(cases.collect(), |_| ());
    for connection in server.recorder().connections() {
        assert!(connection.sent < 24 << 20, "{} bytes were sent", connection.sent);
    }
}
