//! N08: heads, trailers and framing out of all proportion.

use toolgate::ErrorKind;
use toolgate_tests::net::{Step, scripts};

use crate::cases::{Case, all_refused};
use crate::stage::{GOOD, Stage, origin, site, told};

/// Bytes that a server may get rid of before it is cut off: what the client reads at most, and what the kernel holds.
const SENT: u64 = 16 << 20;

/// What messages say of heads.
const TOO_LARGE: &[&str] = &["head", "64 KiB", "256 lines"];

#[test]
fn n08_heads_are_cut_off_by_size_and_by_count() {
    let server = all_refused(
        vec![
            Case::limit("/count", scripts::header_flood(100_000, 1), TOO_LARGE),
            Case::limit("/size", scripts::header_flood(10_000, 1000), TOO_LARGE),
            Case::limit("/just-too-many", scripts::header_flood(300, 1), TOO_LARGE),
            Case::limit("/one", scripts::one_huge_header(10 << 20), TOO_LARGE),
            Case::limit("/status-line", scripts::huge_status_line(10 << 20), TOO_LARGE),
            Case::limit("/endless", scripts::endless_headers(), TOO_LARGE),
        ],
        |_| (),
    );
    for connection in server.recorder().connections() {
        assert!(connection.sent < SENT, "{} bytes were sent", connection.sent);
    }
}

#[test]
fn n08_heads_within_the_limits_are_read() {
    let server = site(vec![
        ("/count", scripts::header_flood(200, 1)),
        ("/one", scripts::one_huge_header(60 << 10)),
    ]);
    let stage = Stage::new(&[server.url("/")]);
    for path in ["/count", "/one"] {
        let page = stage.page(&server.url(path));
        assert_eq!((&page["status"], &page["body"]), (&200.into(), &"ok".into()), "{path}");
    }
    assert_eq!(server.recorder().connections().len(), 1);
}

#[test]
fn n08_chunks_and_trailers_are_cut_off() {
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n";
    let after = |start: &[u8], endless: &[u8]| {
        let start = [head.as_slice(), start].concat();
        vec![Step::Send(start), Step::Endless(endless.repeat(256))]
    };
    let says = &["body", "cannot be read"];
    let server = all_refused(
        vec![
            Case::unavailable("/size", after(b"", b"f"), says),
            Case::unavailable("/extension", after(b"2;", b"x"), says),
            Case::unavailable(
                "/extensions",
                after(b"", b"1;extension=0123456789abcdef\r\nx\r\n"),
                says,
            ),
            Case::unavailable("/trailer", after(b"2\r\nok\r\n0\r\nX-T: ", b"t"), says),
            Case::unavailable("/trailers", after(b"2\r\nok\r\n0\r\n", b"X-T: t\r\n"), says),
        ],
        |config| config.url_scope.max_body_bytes = 4 << 20,
    );
    for connection in server.recorder().connections() {
        assert!(connection.sent < SENT, "{} bytes were sent", connection.sent);
    }
}

#[test]
fn n08_a_size_whose_digits_never_end_is_cut_off() {
    let server = site(vec![("/zeros", scripts::chunked_never_ending_size())]);
    let url = server.url("/zeros");
    let stage = Stage::with(&[server.url("/")], |config| config.url_scope.timeout_seconds = 1);
    let (ended, took) = stage.timed(&url);
    let error = ended.unwrap_err();
    // A slow machine runs out of time before the connection has brought more than it may.
    let kind = match error.kind {
        ErrorKind::Deadline => ErrorKind::Deadline,
        _ => ErrorKind::Limit,
    };
    told(&url, &error, kind, &["body"]);
    let sent = server.recorder().connections()[0].sent;
    assert!(sent < 64 << 20, "{sent} bytes were taken from the server");
    assert!(took.as_secs() < 5, "{took:?}");
    stage.is_well();
    stage.is_well_at(&format!("{}{GOOD}", origin(&url)));
}
