//! Redirects that are followed, and how far.

use toolgate::ErrorKind;
use toolgate_tests::net::{ScriptServer, Step, scripts};

use crate::stage::{Stage, echo};

#[tokio::test]
async fn n01_every_kind_of_redirect_is_followed_with_a_get() {
    let server = ScriptServer::start(|request| match request.path()[1..].parse() {
        Ok(code) => scripts::redirect(code, "/end?from=here"),
        Err(_) => echo(request),
    });
    let stage = Stage::allowing(&[&server.url("")]);
    for code in [301, 302, 303, 307, 308] {
        let page = stage
            .fetch(&server.url(&format!("/{code}?secret=1#part")))
            .await
            .unwrap();
        assert_eq!(page["status"], 200, "{code}");
        assert_eq!(page["body"], "/end?from=here", "{code}");
        assert_eq!(page["final_url"], server.url("/end?from=here"), "{code}");
    }
    let requests = server.recorder().requests();
    assert_eq!(requests.len(), 10);
    for request in requests {
        assert_eq!((request.method.as_str(), request.body.len()), ("GET", 0), "{request:?}");
        assert_eq!(request.header("referer"), None, "{request:?}");
    }
}

#[tokio::test]
async fn what_is_no_redirect_is_the_answer() {
    let server = ScriptServer::start(|request| match request.path() {
        "/refresh" => scripts::refresh_header("/followed"),
        "/meta" => scripts::meta_refresh("/followed"),
        "/none" => scripts::status(302, "without a location"),
        path => match path[1..].parse() {
            Ok(code) => scripts::answer(code, &[("Location", "/followed"), ("Content-Type", "text/plain")], ""),
            Err(_) => echo(request),
        },
    });
    let stage = Stage::allowing(&[&server.url("")]);
    for code in [200, 201, 202, 300, 304, 305, 306, 400, 503] {
        let page = stage.fetch(&server.url(&format!("/{code}"))).await.unwrap();
        assert_eq!(page["status"], code, "{page:?}");
        assert_eq!(page["final_url"], server.url(&format!("/{code}")));
    }
    for path in ["/refresh", "/meta"] {
        assert_eq!(stage.fetch(&server.url(path)).await.unwrap()["status"], 200);
    }
    let page = stage.fetch(&server.url("/none")).await.unwrap();
    assert_eq!(
        (&page["status"], &page["body"]),
        (&302.into(), &"without a location".into())
    );
    let targets = server.recorder().targets();
    assert!(
        targets.len() == 12 && !targets.contains(&"/followed".to_owned()),
        "{targets:?}"
    );
}

#[tokio::test]
async fn every_form_of_a_location_leads_where_it_says() {
    let other = ScriptServer::start(echo);
    let place = other.address();
    let cases = [
        ("next".to_owned(), "/dir/next"),
        ("../up".to_owned(), "/up"),
        ("./a/../b?c".to_owned(), "/dir/b?c"),
        ("?q=2".to_owned(), "/dir/start?q=2"),
        ("/end#part".to_owned(), "/end"),
        ("/a%20b?c=%26#d?e".to_owned(), "/a%20b?c=%26"),
        ("/caf\u{e9}".to_owned(), "/caf%C3%A9"),
        (format!("//{place}/other"), "/other"),
        (format!("http://{place}"), "/"),
        (format!("HTTP://{place}/upper?X"), "/upper?X"),
        (format!("http://{place}/a/./b//c"), "/a/b//c"),
    ];
    let locations: Vec<String> = cases.iter().map(|(location, _)| location.clone()).collect();
    let server = ScriptServer::start(move |request| {
        let case = request.query().and_then(|query| query.strip_prefix("case="));
        match case.and_then(|number| number.parse::<usize>().ok()) {
            Some(number) => scripts::redirect(307, &locations[number]),
            None => echo(request),
        }
    });
    let stage = Stage::allowing(&[&server.url(""), &other.url("")]);
    for (number, (location, arrived)) in cases.iter().enumerate() {
        let page = stage
            .fetch(&server.url(&format!("/dir/start?case={number}")))
            .await
            .unwrap();
        assert_eq!(page["body"], *arrived, "{location}");
        let at = if location.contains("//") && location.contains(&place.to_string()) {
            &other
        } else {
            &server
        };
        assert_eq!(page["final_url"], at.url(arrived), "{location}");
    }
    assert_eq!(other.recorder().targets(), ["/other", "/", "/upper?X", "/a/b//c"]);
}

#[tokio::test]
async fn r32_five_are_followed_and_the_sixth_is_named() {
    let server = ScriptServer::start(scripts::redirect_chain);
    let stage = Stage::allowing(&[&server.url("")]);
    for redirects in 0..=5 {
        assert_eq!(stage.body(&server.url(&format!("/hop/{redirects}"))).await, "arrived\n");
    }
    assert_eq!(server.recorder().requests().len(), 1 + 2 + 3 + 4 + 5 + 6);
    for redirects in [6, 20] {
        let before = server.recorder().requests().len();
        let url = server.url(&format!("/hop/{redirects}"));
        stage
            .refused(&url, ErrorKind::Limit, &["redirect 6", "at most 5"])
            .await;
        let made = server.recorder().targets()[before..].to_vec();
        let expected: Vec<String> = (0..6).map(|made| format!("/hop/{}", redirects - made)).collect();
        assert_eq!(made, expected);
    }
}

#[tokio::test]
async fn n09_a_loop_ends() {
    let server = ScriptServer::start(|request| match request.path() {
        "/a" => scripts::redirect(302, "/b"),
        "/b" => scripts::redirect(302, "/a"),
        _ => scripts::redirect_loop(request),
    });
    let stage = Stage::allowing(&[&server.url("")]);
    for path in ["/same", "/a"] {
        let before = server.recorder().requests().len();
        stage
            .refused(&server.url(path), ErrorKind::Limit, &["redirect 6"])
            .await;
        assert_eq!(server.recorder().requests().len() - before, 6, "{path}");
    }
}

#[tokio::test]
async fn one_time_limit_covers_all_hops() {
    let server = ScriptServer::start(|request| {
        let wait = Step::Wait(std::time::Duration::from_millis(400));
        [vec![wait], scripts::redirect_chain(request)].concat()
    });
    let stage = Stage::new(|config| {
        config.url_scope.allow.push(server.url(""));
        config.url_scope.timeout_seconds = 1;
    });
    let words = ["redirect ", "1 s", "url_scope.timeout_seconds"];
    stage.refused(&server.url("/hop/5"), ErrorKind::Deadline, &words).await;
    let made = server.recorder().requests().len();
    assert!((1..=3).contains(&made), "{made}");
}
