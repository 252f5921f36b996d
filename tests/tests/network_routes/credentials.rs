//! Secrets of the operator stay out of results, errors and the log, whatever happens to the request.

use std::time::Duration;

use toolgate_tests::net::{RawServer, ScriptServer, Step, scripts};

use crate::bundles::{bundles, variables};
use crate::stage::{PATIENCE, Stage};

const SECRET: &str = "secret-of-token";

#[tokio::test]
async fn no_ending_of_a_request_shows_a_secret() {
    let server = ScriptServer::start(|request| match request.path() {
        "/redirect" => scripts::redirect(302, "http://out.test/"),
        "/cookie" => scripts::set_cookie("session=1"),
        "/cut" => scripts::truncated_body("part", 100),
        "/nothing" => vec![Step::Close],
        "/late" => scripts::stall(),
        "/unauthorised" => scripts::answer(401, &[("WWW-Authenticate", "Basic realm=\"x\"")], "no"),
        _ => scripts::ok("fine", "text/plain"),
    });
    let raw = RawServer::start(vec![Step::Send(b"no http\r\n\r\n".to_vec()), Step::Close]);
    let patterns = [server.address().to_string(), raw.address().to_string()];
    let stage = Stage::built(
        |config| {
            config.url_scope.allow = patterns.iter().map(|place| format!("http://{place}")).collect();
            config.url_scope.headers = bundles(&[
                (&patterns[0], "Authorization", "Bearer ${TOKEN}"),
                (&patterns[1], "Authorization", "Bearer ${TOKEN}"),
            ]);
            config.url_scope.headers_over_http = patterns.to_vec();
            config.url_scope.timeout_seconds = 1;
        },
        |builder| builder.variables(variables),
    );
    let mut urls: Vec<String> = [
        "/",
        "/redirect",
        "/cookie",
        "/cut",
        "/nothing",
        "/late",
        "/unauthorised",
    ]
    .iter()
    .map(|path| server.url(path))
    .collect();
    urls.push(format!("http://{}/", raw.address()));
    let mut failed = 0;
    for url in &urls {
        let ending = stage.fetch(url).await;
        failed += usize::from(ending.is_err());
        assert!(!format!("{ending:?}").contains(SECRET), "{url}: {ending:?}");
    }
    assert_eq!(failed, 5, "redirect, cut, nothing, late and no HTTP");
    for request in server.recorder().wait_for_requests(urls.len() - 1, PATIENCE) {
        assert_eq!(request.header("authorization"), Some("Bearer secret-of-token"));
    }
    let log = stage.log();
    assert!(!log.contains(SECRET) && log.contains("/unauthorised"), "{log}");
}

#[tokio::test]
async fn cookies_of_an_answer_are_neither_kept_nor_shown() {
    let server = ScriptServer::start(|_| scripts::set_cookie("session=cookie-of-server; Path=/"));
    let stage = Stage::allowing(&[&server.url("")]);
    let session = stage.rig.session();
    for path in ["/one", "/two"] {
        let page = crate::stage::fetch(&session, &server.url(path)).await.unwrap();
        assert!(!format!("{page:?}").contains("cookie-of-server"), "{page:?}");
    }
    let requests = server.recorder().wait_for_requests(2, Duration::from_secs(5));
    assert!(
        requests.iter().all(|request| request.header("cookie").is_none()),
        "{requests:?}"
    );
}
