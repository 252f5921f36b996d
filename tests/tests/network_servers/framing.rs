//! N06, the side of the answer: what breaks the framing of HTTP/1 is refused, and never taken for another answer.

use toolgate_tests::net::{Step, scripts};

use crate::cases::{Case, all_refused};
use crate::stage::{GOOD, Stage, site};

#[test]
fn n06_answers_that_break_the_framing_are_refused() {
    let both_ways = scripts::answer(
        200,
        &[("Transfer-Encoding", "gzip, chunked")],
        "5\r\nhello\r\n0\r\n\r\n",
    );
    let server = all_refused(
        vec![
            Case::unavailable(
                "/truncated",
                scripts::truncated_body("hello", 100),
                &["5 of the 100 bytes", "declared"],
            ),
            Case::unavailable("/chunk-cut", scripts::chunked_truncated(), &["body", "cannot be read"]),
            Case::unavailable("/chunk-size", scripts::chunked_broken(), &["body", "cannot be read"]),
            Case::unavailable(
                "/two-lengths",
                scripts::duplicate_content_length(),
                &["no HTTP", "content-length"],
            ),
            Case::unavailable(
                "/negative-length",
                scripts::negative_content_length(),
                &["no HTTP", "content-length"],
            ),
            Case::unavailable(
                "/length-and-chunks",
                scripts::te_and_cl(),
                &["Content-Length", "Transfer-Encoding"],
            ),
            Case::unavailable("/coded-chunks", both_ways, &["Transfer-Encoding"]),
            Case::unavailable("/injection", scripts::header_injection(), &["no HTTP", "header"]),
        ],
        |_| (),
    );
    // What is refused is not asked for again: each path once, and one good page after each.
    let targets = server.recorder().targets();
    for path in targets.iter().filter(|path| *path != GOOD) {
        assert_eq!(targets.iter().filter(|other| *other == path).count(), 1, "{path}");
    }
}

#[test]
fn n06_what_follows_a_complete_body_is_never_read_as_an_answer() {
    let answer = |body: &str| format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n{body}");
    let poison = answer("evil\n");
    let server = site(vec![
        ("/more", vec![Step::Send(answer("hello and more").into_bytes())]),
        (
            "/answer",
            vec![Step::Send(answer(&format!("hello{poison}")).into_bytes())],
        ),
        (
            "/late",
            vec![
                Step::Send(answer("hello").into_bytes()),
                Step::Send(poison.clone().into_bytes()),
            ],
        ),
    ]);
    let stage = Stage::new(&[server.url("/")]);
    for path in ["/more", "/answer", "/late"] {
        let page = stage.page(&server.url(path));
        assert_eq!(page["body"], "hello", "{path}");
        assert_eq!((&page["bytes"], &page["total_bytes"]), (&5.into(), &5.into()), "{path}");
        assert_eq!(page["truncated"], false, "{path}");
        // An extra answer that comes on its own packet must be seen before the next request.
        std::thread::sleep(std::time::Duration::from_millis(50));
        stage.is_well_at(&server.url(GOOD));
        let requests = server.recorder().requests();
        let [.., bad, good] = requests.as_slice() else {
            panic!("{} requests", requests.len());
        };
        assert_eq!((bad.path(), good.path()), (path, GOOD));
        assert_ne!(bad.connection, good.connection, "{path}: the connection was used again");
    }
}

#[test]
fn n06_proper_framing_of_every_kind_is_read() {
    let old = b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nhello".to_vec();
    let bare =
        b"HTTP/1.1 200\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello".to_vec();
    let trailers = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n\
                     5;name=value\r\nhello\r\n0\r\nSet-Cookie: a=b\r\nX-Late: 1\r\n\r\n";
    let early = b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n";
    let after_early = [
        early.to_vec(),
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".to_vec(),
    ]
    .concat();
    let server = site(vec![
        ("/close", vec![Step::Send(old), Step::Close]),
        ("/length", vec![Step::Send(bare)]),
        ("/trailers", vec![Step::Send(trailers.to_vec())]),
        ("/chunks", scripts::ok_chunked("hello", "text/plain", 1)),
        ("/early", vec![Step::Send(after_early)]),
    ]);
    let stage = Stage::new(&[server.url("/")]);
    for path in ["/close", "/length", "/trailers", "/chunks", "/early"] {
        let page = stage.page(&server.url(path));
        assert_eq!(
            (&page["status"], &page["body"]),
            (&200.into(), &"hello".into()),
            "{path}"
        );
        assert_eq!(page["truncated"], false, "{path}");
        assert_eq!(
            page.contains_key("total_bytes"),
            path == "/length" || path == "/early",
            "{path}"
        );
    }
    // Only the one that closed needed a connection of its own.
    assert_eq!(server.recorder().connections().len(), 2);
}
