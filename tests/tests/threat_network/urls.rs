//! The rows of `urls.json` from end to end: what the gate says, what is sent, and by whom it is heard.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use toolgate::scope::web::WebUrl;
use toolgate_tests::net::{Script, scripts};

use crate::everywhere::plainly;
use crate::names::Names;
use crate::rows::{Expect, Row, by_scope, urls};
use crate::stage::{Stage, World, build, is_silent_of, is_unanswered, page, says, scoped};

/// Requests to this target are redirected to that location.
type Redirect = Arc<Mutex<Option<(String, String)>>>;

#[test]
fn entries_that_mean_nothing_are_refused_when_they_are_loaded() {
    for row in urls().iter().filter(|row| row.expect == Expect::LoadError) {
        let (allow, deny, _) = row.scope();
        let Err(error) = build(scoped(&allow, &deny)) else {
            panic!("{}: the host is built", row.id);
        };
        let message = error.to_string();
        let key = if deny.is_empty() {
            "url_scope.allow["
        } else {
            "url_scope.deny["
        };
        assert!(message.contains(key), "{}: {message}", row.id);
        says(&row.id, &message, &row.says);
        is_silent_of(&row.id, &message, &row.silent);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn n04_what_is_judged_is_what_is_dialled() {
    if !crate::namespace::entered(module_path!(), "n04_what_is_judged_is_what_is_dialled") {
        return;
    }
    let mut rows = urls();
    rows.retain(|row| row.expect != Expect::LoadError);
    let passing = rows
        .iter()
        .flat_map(|row| [row.normal.as_deref(), row.from.as_deref()])
        .flatten();
    let passing: Vec<WebUrl> = passing.map(|url| WebUrl::parse(url).unwrap()).collect();
    let hosts: BTreeSet<&str> = passing
        .iter()
        .map(|url| url.host_text().trim_matches(['[', ']']))
        .collect();
    let ports: BTreeSet<u16> = passing.iter().map(WebUrl::port).collect();

    let redirect = Redirect::default();
    let respond = {
        let redirect = Arc::clone(&redirect);
        move |request: &toolgate_tests::net::Request| -> Script {
            match &*redirect.lock().unwrap() {
                Some((from, location)) if *from == request.target => scripts::redirect(302, location),
                _ => page(),
            }
        }
    };
    let (hosts, ports) = (Vec::from_iter(hosts), Vec::from_iter(ports));
    let world = World::answering(&hosts, &ports, respond).await;
    for group in by_scope(rows) {
        let (allow, deny, _) = group[0].scope();
        let stage = world.stage(world.config(&allow, &deny));
        for row in &group {
            match (&row.from, row.expect) {
                (None, Expect::Pass) => passes(&stage, row).await,
                (None, _) => is_refused(&stage, row).await,
                (Some(from), _) => redirects(&world, row, from, &redirect).await,
            }
        }
    }
}

async fn passes(stage: &Stage<'_>, row: &Row) {
    let (id, url) = (&row.id, row.url.as_str());
    let normal = WebUrl::parse(row.normal.as_deref().unwrap()).unwrap();
    assert_eq!(stage.explain("fetch_url", url).as_deref(), Ok(normal.as_str()), "{id}");
    stage.world.is_silent(&format!("{id}: an explanation"));

    let fetched = stage.call("fetch_url", json!({ "url": url })).await;
    let fetched = fetched.unwrap_or_else(|error| panic!("{id}: {error}"));
    assert_eq!(fetched["final_url"], normal.as_str(), "{id}");
    arrives(stage.world, id, &normal);
    // The sandbox alone, with a URL that the gate has granted by number, and with one in parts.
    for tool in ["dial_fetch", "dial_http_url"] {
        let report = stage.dial(tool, json!({ "url": normal.as_str() })).await;
        assert_eq!(report["outcomes"][0]["status"], 200, "{id}: {report}");
        // The connection of another tool is not shared.
        arrives(stage.world, id, &normal);
    }
    // What a guest of its own network makes of the text as given.
    let report = stage.dial("dial_http", json!({ "url": url })).await;
    if is_unanswered(&report) {
        stage.world.is_silent(id);
    } else {
        arrives(stage.world, id, &normal);
    }
}

/// One connection to the address of the URL's host, one question, and one request there.
fn arrives(world: &World, id: &str, url: &WebUrl) {
    let seen = world.seen();
    let to = destination(&world.names, url);
    assert_eq!(seen.connects, [to.to_string()], "{id}: {seen:?}");
    let questions: Vec<&str> = match url.host().address() {
        None => vec![url.host_text()],
        Some(_) => Vec::new(),
    };
    assert_eq!(seen.asked, questions, "{id}");
    let [arrived] = &seen.arrived[..] else {
        panic!("{id}: {seen:?}");
    };
    let host = match url.is_default_port() {
        true => url.host_text().to_owned(),
        false => format!("{}:{}", url.host_text(), url.port()),
    };
    let target = &url.as_str()[url.origin().len()..];
    assert_eq!(arrived.to, to, "{id}");
    assert_eq!(arrived.tls, url.is_https(), "{id}");
    assert_eq!(
        arrived.request.headers_named("host").collect::<Vec<_>>(),
        [host],
        "{id}"
    );
    assert_eq!(
        (arrived.request.method.as_str(), arrived.request.target.as_str()),
        ("GET", target),
        "{id}"
    );
    let name = url.host().address().is_none() && url.is_https();
    assert_eq!(arrived.sni.as_deref(), name.then(|| url.host_text()), "{id}");
}

fn destination(names: &Names, url: &WebUrl) -> SocketAddr {
    let address = url.host().address().unwrap_or_else(|| names.of(url.host_text()));
    plainly(address, url.port())
}

async fn is_refused(stage: &Stage<'_>, row: &Row) {
    let (id, url) = (&row.id, row.url.as_str());
    let listed = stage.rig.host.has_tool("fetch_url");
    assert_eq!(
        listed,
        !row.allow.is_empty(),
        "{id}: a tool that can fetch nothing is not listed"
    );
    for tool in ["fetch_url", "dial_fetch", "dial_http_url"] {
        if tool == "fetch_url" && !listed {
            continue;
        }
        let explained = stage.explain(tool, url);
        let error = stage.call(tool, json!({ "url": url })).await.expect_err(id);
        for message in [explained.expect_err(id), error.message] {
            says(id, &message, &row.says);
            is_silent_of(id, &message, &row.silent);
        }
    }
    // Here the gate knows nothing of the URL, and the sandbox has granted all hosts that there are.
    let report = stage.dial("dial_http", json!({ "url": url })).await;
    if report["outcomes"][0]["refused"] == json!([]) {
        assert!(is_unanswered(&report), "{id}: {report}");
    } else {
        // The guest could not even say it, and has asked for something else.
        stage.world.seen();
    }
    stage.world.is_silent(id);
}

async fn redirects(world: &World, row: &Row, from: &str, redirect: &Redirect) {
    let id = &row.id;
    let first = WebUrl::parse(from).unwrap();
    let (mut allow, deny, _) = row.scope();
    let mut entry = String::from(first.host_text());
    if !first.is_default_port() {
        entry = format!("{entry}:{}", first.port());
    }
    if !allow.contains(&"*") && !allow.contains(&entry.as_str()) {
        allow.push(&entry);
    }
    let stage = world.stage(world.config(&allow, &deny));
    let target = from[first.origin().len()..].to_owned();
    *redirect.lock().unwrap() = Some((target, row.url.clone()));
    let fetched = stage.call("fetch_url", json!({ "url": from })).await;
    let seen = world.seen();
    let start = destination(&world.names, &first).to_string();
    match row.expect {
        Expect::Pass => {
            let normal = WebUrl::parse(row.normal.as_deref().unwrap()).unwrap();
            let fetched = fetched.unwrap_or_else(|error| panic!("{id}: {error}"));
            assert_eq!(fetched["final_url"], normal.as_str(), "{id}");
            let mut expected = vec![start];
            if normal.origin() != first.origin() {
                expected.push(destination(&world.names, &normal).to_string());
            }
            // Whether one connection serves both is not the question here.
            let mut connects = seen.connects;
            connects.dedup();
            assert_eq!(connects, expected, "{id}");
            let last = seen.arrived.last().unwrap();
            assert_eq!(last.to, destination(&world.names, &normal), "{id}");
            assert_eq!(seen.arrived.len(), 2, "{id}");
        }
        _ => {
            let error = fetched.expect_err(id);
            says(id, &error.message, &row.says);
            is_silent_of(id, &error.message, &row.silent);
            says(id, &error.message, &["redirect 1".to_owned()]);
            assert_eq!(seen.connects, [start.as_str()], "{id}");
            assert_eq!(seen.asked, [first.host_text()], "{id}");
            // A guest that follows by itself comes no further.
            let report: Value = stage.dial("dial_http_url", json!({ "url": from, "follow": 1 })).await;
            let seen = world.seen();
            assert_eq!(seen.connects, [start], "{id}: {report}");
        }
    }
    *redirect.lock().unwrap() = None;
}
