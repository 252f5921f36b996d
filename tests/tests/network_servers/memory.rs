//! N08: what a server sends must not become the memory of this process.

use std::time::Instant;

use toolgate::ErrorKind;
use toolgate_tests::net::{Authority, Http2Server, scripts};

use crate::encodings::endless_nothing;
use crate::measure;
use crate::stage::{GOOD, PATIENCE, Stage, site};

/// What one request may need at most, with everything that this process does for the server too.
const GROWTH: u64 = 64 << 20;
/// Bytes that a server may get rid of before it is cut off.
const SENT: u64 = 24 << 20;

#[test]
fn n08_hostile_bodies_and_heads_take_no_memory() {
    let _turn = measure::alone();
    let bomb = 512 << 20;
    let mut pages = vec![
        ("/endless", scripts::endless_body()),
        ("/chunked", scripts::endless_chunked_body()),
        ("/endless-gzip", scripts::endless_gzip()),
        ("/gzip", scripts::gzip_bomb(bomb)),
        ("/brotli", scripts::brotli_bomb(bomb)),
        ("/zlib", scripts::zlib_bomb(bomb)),
        ("/nested", scripts::nested_gzip_bomb(bomb)),
        ("/endless-head", scripts::endless_headers()),
        ("/count", scripts::header_flood(100_000, 1)),
        ("/size", scripts::header_flood(10_000, 1000)),
        ("/status-line", scripts::huge_status_line(10 << 20)),
    ];
    pages.extend(endless_nothing());
    let paths: Vec<&str> = pages.iter().map(|(path, _)| *path).collect();
    let server = site(pages);
    let authority = Authority::new();
    let http2 = Http2Server::start(&authority.certificate(&["a.test"]));
    let mut urls: Vec<String> = paths.iter().map(|path| server.url(path)).collect();
    urls.push(http2.url_for("a.test", "/large/200000000"));
    urls.push(http2.url_for("a.test", "/headers/10000"));
    for scope in [65_536, 1 << 20] {
        let stage = Stage::alone(&urls, |config| {
            config.url_scope.max_body_bytes = scope;
            config.url_scope.ca_file = Some(authority.pem_file().to_owned());
        });
        // What is needed once is there before anything is measured.
        stage.is_well_at(&server.url(GOOD));
        stage.page(&http2.url_for("a.test", "/large/2000000"));
        for url in &urls {
            measure::reset_peak();
            let (before, begun) = (measure::resident(), Instant::now());
            let ended = stage.fetch(url);
            let growth = measure::peak().saturating_sub(before);
            assert!(growth < GROWTH, "{url}: grew by {growth} bytes");
            assert!(begun.elapsed() < PATIENCE, "{url}: took {:?}", begun.elapsed());
            match ended {
                Ok(page) => {
                    assert_eq!(
                        (&page["truncated"], &page["bytes"]),
                        (&true.into(), &scope.into()),
                        "{url}"
                    );
                }
                Err(error) => {
                    let known = matches!(error.kind, ErrorKind::Limit | ErrorKind::Unavailable);
                    assert!(known, "{url}: {:?}: {error}", error.kind);
                }
            }
            stage.is_well_at(&server.url(GOOD));
        }
        drop(stage);
    }
    let connections = [
        server.recorder().wait_for_end(paths.len(), PATIENCE),
        http2.recorder().wait_for_end(1, PATIENCE),
    ];
    for connection in connections.into_iter().flatten() {
        assert!(connection.sent < SENT, "{} bytes were sent", connection.sent);
    }
}
