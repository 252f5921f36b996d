//! Requests are read and recorded, and the ready-made answers are what their names say.

use std::io::{Read, Write};
use std::time::Duration;

use super::{PATIENCE, connect, get, get_one};
use crate::net::{Request, Script, ScriptServer, Step, scripts};

#[test]
fn requests_are_recorded_with_head_and_body() {
    let server = ScriptServer::start(|_| scripts::ok("hello", "text/plain"));
    let mut stream = connect(server.address());
    let first = b"POST /a?b=c HTTP/1.1\r\nHost: x\r\nX-A: 1\r\nx-a:  2 \r\nContent-Length: 7\r\n\r\n{\"k\":1}";
    stream.write_all(first).unwrap();
    let second = b"PUT /d HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: 1\r\n\r\n";
    stream.write_all(second).unwrap();
    let requests = server.recorder().wait_for_requests(2, PATIENCE);
    assert_eq!(
        (requests[0].method.as_str(), requests[0].target.as_str()),
        ("POST", "/a?b=c")
    );
    assert_eq!((requests[0].path(), requests[0].query()), ("/a", Some("b=c")));
    assert_eq!(requests[0].headers_named("x-a").collect::<Vec<_>>(), ["1", "2"]);
    assert_eq!(requests[0].json().unwrap()["k"], 1);
    assert_eq!(requests[1].body, b"abcde");
    assert_eq!(server.recorder().raw_requests(), [first.to_vec(), second.to_vec()]);
    assert_eq!(server.recorder().targets(), ["/a?b=c", "/d"]);
    let connections = server.recorder().connections();
    assert_eq!(connections.len(), 1);
    assert_eq!(connections[0].peer, stream.local_addr().unwrap());
    assert_eq!(connections[0].received, [first.as_slice(), second].concat());
}

#[test]
fn routes_answer_by_path_on_both_families() {
    let server = ScriptServer::routes([("/a", scripts::ok("a", "text/plain"))]);
    let mut stream = connect(server.address());
    let (head, body) = get_one(&mut stream, "/a?q");
    assert!(
        head.starts_with("HTTP/1.1 200 OK\r\n") && head.contains("Content-Type: text/plain\r\n"),
        "{head}"
    );
    assert_eq!(body, b"a");
    assert!(get_one(&mut stream, "/b").0.starts_with("HTTP/1.1 404 "));
    assert_eq!(server.url("/a"), format!("http://{}/a", server.address()));

    let six = ScriptServer::start_at("[::1]:0", |_| scripts::ok("six", "text/plain"));
    assert_eq!(get_one(&mut connect(six.address()), "/").1, b"six");
}

#[test]
fn redirects() {
    let server = ScriptServer::start(scripts::redirect_chain);
    let mut stream = connect(server.address());
    assert!(get_one(&mut stream, "/hop/2").0.contains("\r\nLocation: /hop/1\r\n"));
    assert!(get_one(&mut stream, "/hop/0").0.starts_with("HTTP/1.1 200"));
    let server = ScriptServer::start(scripts::redirect_loop);
    let (head, _) = get_one(&mut connect(server.address()), "/x?y");
    assert!(
        head.starts_with("HTTP/1.1 302") && head.contains("\r\nLocation: /x?y\r\n"),
        "{head}"
    );
    assert!(text(scripts::redirect(308, "https://a/")).starts_with("HTTP/1.1 308 "));
    assert!(text(scripts::refresh_header("/z")).contains("\r\nRefresh: 0; url=/z\r\n"));
    assert!(text(scripts::meta_refresh("/z")).contains("http-equiv=\"refresh\" content=\"0; url=/z\""));
}

#[test]
fn bodies_without_length_or_in_another_charset() {
    assert!(!text(scripts::no_content()).contains("Content-Length"));
    assert!(text(scripts::not_modified()).starts_with("HTTP/1.1 304 "));
    assert!(text(scripts::set_cookie("a=b")).contains("\r\nSet-Cookie: a=b\r\n"));
    assert!(bytes(scripts::latin1("é")).ends_with(b"\r\n\r\n\xe9"));
    assert!(text(scripts::ok_chunked("abcde", "a/b", 3)).ends_with("\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"));
    assert!(!text(scripts::ok_without_type("x")).contains("Content-Type"));
}

#[test]
fn broken_framing_reaches_the_client_unmended() {
    let server = ScriptServer::routes([
        ("/short", scripts::truncated_body("abc", 10)),
        ("/long", scripts::wrong_length_shorter("abcdef", 2)),
        ("/chunks", scripts::chunked_broken()),
        ("/cut-chunk", scripts::chunked_truncated()),
        ("/two", scripts::duplicate_content_length()),
        ("/both", scripts::te_and_cl()),
        ("/negative", scripts::negative_content_length()),
        ("/garbage", scripts::garbage()),
        ("/09", scripts::http09("<p>old</p>")),
        ("/odd", scripts::header_injection()),
    ]);
    let answer = |path: &str| String::from_utf8_lossy(&get(server.address(), path)).into_owned();
    let expected = [
        ("/short", "Content-Length: 10\r\n\r\nabc"),
        ("/long", "Content-Length: 2\r\n\r\nabcdef"),
        ("/chunks", "\r\n\r\n5\r\nhello\r\nxyz\r\nworld\r\n0\r\n\r\n"),
        ("/cut-chunk", "5\r\nhello\r\n100\r\nwor"),
        ("/two", "Content-Length: 5\r\nContent-Length: 11\r\n\r\nhello world"),
        (
            "/both",
            "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        ),
        ("/negative", "Content-Length: -1\r\n\r\nhello"),
        ("/odd", "X-Odd: a\nX-Smuggled: b\0\x1b[31m\r\n\r\nok"),
    ];
    for (path, end) in expected {
        let answer = answer(path);
        assert!(
            answer.starts_with("HTTP/1.1 200 ") && answer.ends_with(end),
            "{path}: {answer:?}"
        );
    }
    assert!(!answer("/garbage").contains("HTTP"));
    assert_eq!(answer("/09"), "<p>old</p>");
}

#[test]
fn compressed_bodies_decode_to_what_was_meant() {
    let gunzip = |bytes: &[u8]| all(flate2::read::GzDecoder::new(bytes));
    assert_eq!(gunzip(&body(scripts::gzip_ok("päck"))), "päck".as_bytes());
    assert_eq!(
        all(brotli::Decompressor::new(
            body(scripts::brotli_ok("päck")).as_slice(),
            4096
        )),
        "päck".as_bytes()
    );
    let nested = scripts::nested_gzip("deep", 3);
    assert!(text(nested.clone()).contains("\r\nContent-Encoding: gzip, gzip, gzip\r\n"));
    assert_eq!(gunzip(&gunzip(&gunzip(&body(nested)))), b"deep");
    assert!(
        flate2::read::GzDecoder::new(body(scripts::gzip_broken(&"text ".repeat(50))).as_slice())
            .read_to_end(&mut Vec::new())
            .is_err()
    );
}

#[test]
fn bombs_are_small_and_decode_to_their_size() {
    const SIZE: u64 = 4 << 20;
    let zeros = |content: Vec<u8>| content.len() as u64 == SIZE && content.iter().all(|byte| *byte == 0);
    let gzip = body(scripts::gzip_bomb(SIZE));
    let zlib = body(scripts::zlib_bomb(SIZE));
    let deflate = body(scripts::deflate_bomb(SIZE));
    let brotli = body(scripts::brotli_bomb(SIZE));
    let nested = body(scripts::nested_gzip_bomb(SIZE));
    for (name, bytes) in [
        ("gzip", &gzip),
        ("zlib", &zlib),
        ("deflate", &deflate),
        ("brotli", &brotli),
        ("nested", &nested),
    ] {
        assert!((bytes.len() as u64) < SIZE / 200, "{name}: {}", bytes.len());
    }
    assert!(nested.len() < gzip.len());
    assert!(zeros(all(flate2::read::GzDecoder::new(gzip.as_slice()))));
    assert!(zeros(all(flate2::read::ZlibDecoder::new(zlib.as_slice()))));
    assert!(zeros(all(flate2::read::DeflateDecoder::new(deflate.as_slice()))));
    assert!(zeros(all(brotli::Decompressor::new(brotli.as_slice(), 4096))));
    let inner = all(flate2::read::GzDecoder::new(nested.as_slice()));
    assert!(zeros(all(flate2::read::GzDecoder::new(inner.as_slice()))));
}

#[test]
fn heads_out_of_proportion() {
    let flood = text(scripts::header_flood(300, 10));
    assert_eq!(flood.matches("X-Flood-").count(), 300);
    assert!(flood.contains(&format!("X-Flood-299: {}\r\n", "v".repeat(10))));
    assert!(text(scripts::one_huge_header(5000)).contains(&"v".repeat(5000)));
    assert!(text(scripts::huge_status_line(5000)).starts_with(&format!("HTTP/1.1 200 {}\r\n", "y".repeat(5000))));
}

#[test]
fn drips_take_their_time() {
    let server = ScriptServer::routes([
        ("/body", scripts::slow_body("abcde", Duration::from_millis(20))),
        ("/head", scripts::slow_headers(Duration::from_millis(2))),
    ]);
    let mut stream = connect(server.address());
    let begun = std::time::Instant::now();
    assert_eq!(get_one(&mut stream, "/body").1, b"abcde");
    assert!(begun.elapsed() >= Duration::from_millis(100), "{:?}", begun.elapsed());
    let begun = std::time::Instant::now();
    assert_eq!(get_one(&mut stream, "/head").1, b"ok");
    assert!(begun.elapsed() >= Duration::from_millis(100), "{:?}", begun.elapsed());
}

fn all(mut reader: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).unwrap();
    bytes
}

/// The bytes of a script that a real server sends.
fn bytes(mut script: Script) -> Vec<u8> {
    script.push(Step::Close);
    let server = ScriptServer::start(move |_: &Request| script.clone());
    get(server.address(), "/")
}

fn text(script: Script) -> String {
    String::from_utf8(bytes(script).split(|byte| *byte == 0x1f).next().unwrap().to_vec()).unwrap()
}

fn body(script: Script) -> Vec<u8> {
    let answer = bytes(script);
    let start = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
    answer[start..].to_vec()
}
