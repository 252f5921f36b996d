//! N01: redirects, honest for some hops and then hostile.

use std::sync::{Arc, Mutex};

use serde_json::json;
use toolgate::ErrorKind;
use toolgate_tests::net::{Request, Script, scripts};

use crate::stage::{World, page};

/// What follows after the honest hops.
#[derive(Clone, Default)]
struct Plan {
    hops: usize,
    code: u16,
    location: String,
}

/// `/n` leads to `/n+1` until the honest hops are over.
fn respond(plan: &Mutex<Plan>, request: &Request) -> Script {
    let plan = plan.lock().unwrap();
    match request.target[1..].parse::<usize>() {
        Ok(number) if number < plan.hops => scripts::redirect(plan.code, &format!("/{}", number + 1)),
        Ok(number) if number == plan.hops && !plan.location.is_empty() => scripts::redirect(plan.code, &plan.location),
        _ => page(),
    }
}

async fn world(plan: &Arc<Mutex<Plan>>) -> World {
    let plan = Arc::clone(plan);
    World::answering(&["honest.org"], &[80, 443, 8080], move |request| {
        respond(&plan, request)
    })
    .await
}

/// Where nobody may be led from `http://honest.org` with the scope `http://*`.
const HOSTILE: [&str; 27] = [
    "http://169.254.169.254/latest/meta-data/",
    "//169.254.169.254/",
    "http://169.254.169.254.:80/",
    "http://127.0.0.1/",
    "http://127.0.0.1:8080/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[fe80::1%25lo]/",
    "http://[fd00:ec2::254]/",
    "http://10.0.0.1/",
    "http://0.0.0.0/",
    "http://0/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://metadata.google.internal/",
    "http://private.org/",
    "http://denied.org/",
    "http://honest.org/ruled/out",
    "http://honest.org:22/",
    "http://user:pw@honest.org/",
    "http:\\\\10.0.0.1/",
    "\\\\10.0.0.1/",
    "http:///10.0.0.1/",
    "file:///etc/passwd",
    "ftp://honest.org/",
    "gopher://127.0.0.1:80/_GET",
    "javascript:alert(1)",
];

#[tokio::test(flavor = "multi_thread")]
async fn n01_every_hop_is_judged_like_the_first() {
    if !crate::namespace::entered(module_path!(), "n01_every_hop_is_judged_like_the_first") {
        return;
    }
    let plan = Arc::default();
    let world = world(&plan).await;
    let own = world.names.of("honest.org");
    world.names.answer(move |name| match name {
        "private.org" => Some(vec!["10.0.0.1".parse().unwrap()]),
        _ => Some(vec![own]),
    });
    let mut config = world.config(&["http://*"], &["denied.org"]);
    let ruled_out = ["fetch_url", "dial_http_url"].map(|tool| format!("{tool}:http://honest.org/ruled/*"));
    config.permissions.deny = ruled_out.to_vec();
    let stage = world.stage(config);
    let to = format!("{own}:80");
    for (number, location) in HOSTILE.iter().enumerate() {
        // All codes and depths, but not all of them for each location.
        let code = [301, 302, 303, 307, 308][number % 5];
        let hops = number / 5 % 5;
        *plan.lock().unwrap() = Plan {
            hops,
            code,
            location: (*location).to_owned(),
        };
        let fetched = stage.call("fetch_url", json!({"url": "http://honest.org/0"})).await;
        let error = fetched.expect_err(location);
        assert_eq!(error.kind, ErrorKind::Denied, "{location}: {error}");
        assert!(
            error.message.contains(&format!("redirect {}", hops + 1)),
            "{location}: {error}"
        );
        assert!(
            !error.message.contains("user") && !error.message.contains("passwd"),
            "{location}: {error}"
        );
        let seen = world.seen();
        assert!(seen.connects.iter().all(|at| *at == to), "{location}: {seen:?}");
        assert_eq!(seen.arrived.len(), hops + 1, "{location}: {seen:?}");
        // Only a name in scope is worth a question.
        let foreign = seen.asked.iter().filter(|name| *name != "honest.org").count();
        assert_eq!(
            foreign,
            usize::from(*location == "http://private.org/"),
            "{location}: {seen:?}"
        );

        let report = stage
            .dial(
                "dial_http_url",
                json!({"url": "http://honest.org/0", "follow": hops + 1}),
            )
            .await;
        let seen = world.seen();
        assert!(
            seen.connects.iter().all(|at| *at == to),
            "{location}: {seen:?} {report}"
        );
        assert_eq!(seen.arrived.len(), hops + 1, "{location}: {seen:?} {report}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn n01_protection_is_not_lost_on_the_way() {
    if !crate::namespace::entered(module_path!(), "n01_protection_is_not_lost_on_the_way") {
        return;
    }
    let plan: Arc<Mutex<Plan>> = Arc::default();
    let world = world(&plan).await;
    *plan.lock().unwrap() = Plan {
        hops: 0,
        code: 302,
        location: "http://honest.org/".to_owned(),
    };
    let to = world.names.of("honest.org");
    let stage = world.stage(world.config(&["*"], &[]));
    let error = stage
        .call("fetch_url", json!({"url": "https://honest.org/0"}))
        .await
        .unwrap_err();
    assert!(error.message.contains("from https to"), "{error}");
    let report = stage
        .dial("dial_http_url", json!({"url": "https://honest.org/0", "follow": 1}))
        .await;
    let seen = world.seen();
    assert!(
        seen.connects.iter().all(|at| *at == format!("{to}:443")),
        "{seen:?} {report}"
    );
    // Where the operator wants plain http, both may go there.
    let stage = world.stage(world.config(&["http://honest.org"], &[]));
    let fetched = stage
        .call("fetch_url", json!({"url": "https://honest.org/0"}))
        .await
        .unwrap();
    assert_eq!(fetched["final_url"], "http://honest.org/");
    let report = stage
        .dial("dial_http_url", json!({"url": "https://honest.org/0", "follow": 1}))
        .await;
    assert_eq!(report["counts"], json!({"200": 1}), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn n01_at_most_five_redirects_are_followed() {
    if !crate::namespace::entered(module_path!(), "n01_at_most_five_redirects_are_followed") {
        return;
    }
    let plan: Arc<Mutex<Plan>> = Arc::default();
    let world = world(&plan).await;
    let stage = world.stage(world.config(&["http://*"], &[]));
    for hops in [1, 2, 4, 5, 6, 7, 20] {
        *plan.lock().unwrap() = Plan {
            hops,
            code: 302,
            location: String::new(),
        };
        let fetched = stage.call("fetch_url", json!({"url": "http://honest.org/0"})).await;
        assert_eq!(fetched.is_ok(), hops <= 5, "{hops}: {fetched:?}");
        if let Err(error) = fetched {
            assert_eq!(error.kind, ErrorKind::Limit, "{hops}: {error}");
            assert!(error.message.contains("at most 5"), "{error}");
        }
        assert_eq!(world.seen().arrived.len(), hops.min(5) + 1, "{hops}");
        // What a guest follows by itself is bounded as well.
        let arguments = json!({"url": "http://honest.org/0", "follow": hops});
        let report = stage.dial("dial_http_url", arguments).await;
        assert_eq!(world.seen().arrived.len(), hops.min(5) + 1, "{hops}: {report}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn n01_pages_and_headers_lead_nowhere() {
    if !crate::namespace::entered(module_path!(), "n01_pages_and_headers_lead_nowhere") {
        return;
    }
    let target = "http://169.254.169.254/";
    let respond = move |request: &Request| match request.path() {
        "/refresh" => scripts::refresh_header(target),
        "/meta" => scripts::meta_refresh(target),
        "/location" => scripts::answer(200, &[("Location", target)], "stay"),
        "/choices" => scripts::redirect(300, target),
        "/proxy" => scripts::redirect(305, target),
        "/nowhere" => scripts::status(302, "no location"),
        _ => scripts::answer(
            200,
            &[
                ("Alt-Svc", "http/1.1=\"169.254.169.254:80\""),
                ("Link", "<http://169.254.169.254/>; rel=preload"),
            ],
            "stay",
        ),
    };
    let world = World::answering(&[], &[80], respond).await;
    let stage = world.stage(world.config(&["http://*"], &[]));
    let to = format!("{}:80", world.names.of("honest.org"));
    for path in [
        "/refresh",
        "/meta",
        "/location",
        "/choices",
        "/proxy",
        "/nowhere",
        "/hints",
        "/hints",
    ] {
        let url = format!("http://honest.org{path}");
        let fetched = stage.call("fetch_url", json!({ "url": url })).await;
        let fetched = fetched.unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(fetched["final_url"], url);
        let seen = world.seen();
        assert_eq!((seen.connects, seen.arrived.len()), (vec![to.clone()], 1), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn n01_a_host_of_the_plugin_leads_to_no_other() {
    if !crate::namespace::entered(module_path!(), "n01_a_host_of_the_plugin_leads_to_no_other") {
        return;
    }
    let plan: Arc<Mutex<Plan>> = Arc::default();
    let world = world(&plan).await;
    let mut config = world.config(&["http://*"], &[]);
    config.tools.network = [("dial_http".to_owned(), vec!["http://honest.org".to_owned()])].into();
    let stage = world.stage(config);
    let to = format!("{}:80", world.names.of("honest.org"));
    for location in [
        "http://other.org/",
        "//other.org/",
        "http://honest.org:8080/",
        "http://169.254.169.254/",
    ] {
        for code in [301, 302, 303, 307, 308] {
            *plan.lock().unwrap() = Plan {
                hops: 1,
                code,
                location: location.to_owned(),
            };
            let arguments = json!({"url": "http://honest.org/0", "follow": 2});
            let report = stage.dial("dial_http", arguments).await;
            assert_eq!(
                report["counts"],
                json!({"response:http_request_denied": 1}),
                "{location}: {report}"
            );
            let seen = world.seen();
            assert!(seen.connects.iter().all(|at| *at == to), "{location}: {seen:?}");
            assert!(
                seen.asked.iter().all(|name| name == "honest.org"),
                "{location}: {seen:?}"
            );
            assert_eq!(seen.arrived.len(), 2, "{location}: {seen:?}");
        }
    }
}
