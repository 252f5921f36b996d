//! Whom the gate asks about a URL, about which, and what the answers cover.

use std::sync::{Arc, Mutex};

use toolgate::config::PlanMode;
use toolgate::gate::{Answer, Asked, PromptKind};
use toolgate::{Config, Decision, ErrorKind, Mode, PromptRequest, Prompter, Session};
use toolgate_tests::net::{DnsServer, ScriptServer, scripts};

use crate::stage::{Stage, echo, fetch, owned};

/// Gives one answer, notes the questions, and looks at the servers before each answer.
struct Operator {
    decision: Decision,
    asked: Mutex<Vec<PromptRequest>>,
    look: Box<dyn Fn() + Send + Sync>,
}

impl Operator {
    fn says(decision: Decision) -> Arc<Self> {
        Self::looking(decision, || {})
    }

    fn looking(decision: Decision, look: impl Fn() + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self {
            decision,
            asked: Mutex::default(),
            look: Box::new(look),
        })
    }

    /// What the questions since the last look were about.
    fn details(&self) -> Vec<String> {
        let asked = std::mem::take(&mut *self.asked.lock().unwrap());
        asked.into_iter().map(|request| request.detail).collect()
    }
}

impl Prompter for Operator {
    fn prompt<'a>(&'a self, request: &'a PromptRequest) -> Asked<'a> {
        (self.look)();
        self.asked.lock().unwrap().push(request.clone());
        let answer = Answer::from(self.decision);
        Box::pin(async move { Ok(answer) })
    }
}

fn stage(mode: Mode, set: impl FnOnce(&mut Config)) -> Stage {
    Stage::built(set, |builder| builder.mode(mode))
}

fn asking(stage: &Stage, operator: &Arc<Operator>) -> Session {
    stage.rig.session_with(Arc::clone(operator) as Arc<dyn Prompter>)
}

#[tokio::test]
async fn r38_one_question_with_the_url_as_it_will_be_sent_and_nothing_before_the_answer() {
    let server = Arc::new(ScriptServer::start(echo));
    let port = server.address().port();
    let dns = Arc::new(DnsServer::table(&[("a.test", &["127.0.0.1".parse().unwrap()])]));
    let stage = stage(Mode::Ask, |config| {
        config.url_scope.allow = vec![format!("http://a.test:{port}")];
        config.url_scope.nameservers = vec![dns.address().to_string()];
    });
    let (watched, names) = (Arc::clone(&server), Arc::clone(&dns));
    let quiet = move || {
        assert!(watched.recorder().connections().is_empty() && names.names().is_empty());
    };
    let written = format!("HTTP://A.Test.:{port}/x/../y?q=%7e#part");
    let shown = format!("http://a.test:{port}/y?q=%7e");

    let no = Operator::looking(Decision::Deny, quiet.clone());
    let error = fetch(&asking(&stage, &no), &written).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Denied, "{error:?}");
    quiet();
    let request = no.asked.lock().unwrap().pop().unwrap();
    assert_eq!(
        (request.kind, request.tool.as_str()),
        (PromptKind::Generic, "fetch_url")
    );
    assert_eq!(request.detail, shown);
    assert!(
        request.arguments.contains("#part"),
        "the call as it was made: {}",
        request.arguments
    );
    assert!(request.offers(Decision::Session) && request.offers(Decision::Once));

    let yes = Operator::looking(Decision::Once, quiet);
    let page = fetch(&asking(&stage, &yes), &written).await.unwrap();
    assert_eq!(
        (&page["body"], &page["final_url"]),
        (&"/y?q=%7e".into(), &shown.clone().into())
    );
    assert_eq!(yes.details(), [shown]);
    assert_eq!(server.recorder().targets(), ["/y?q=%7e"]);

    // Nobody is there to ask.
    stage.refused(&written, ErrorKind::Denied, &["fetch_url"]).await;
    assert_eq!(server.recorder().requests().len(), 1);
}

#[tokio::test]
async fn nobody_is_asked_about_a_url_that_cannot_be_fetched() {
    let server = ScriptServer::start(echo);
    let dns = DnsServer::table(&[]);
    let port = server.address().port();
    let stage = stage(Mode::Ask, |config| {
        config.url_scope.allow = owned(&[&server.url(""), "http://*.test", "http://*.internal"]);
        config.url_scope.deny = owned(&["no.test"]);
        config.url_scope.nameservers = vec![dns.address().to_string()];
        config.permissions.deny = owned(&["fetch_url:ruled.test/*", "fetch_url:*/secret*"]);
    });
    let operator = Operator::says(Decision::Session);
    let session = asking(&stage, &operator);
    for (url, kind) in [
        ("http://other.example/".to_owned(), ErrorKind::Denied),
        ("https://a.test:8443/".to_owned(), ErrorKind::Denied),
        ("http://no.test/".to_owned(), ErrorKind::Denied),
        ("https://no.test./".to_owned(), ErrorKind::Denied),
        ("http://ruled.test/".to_owned(), ErrorKind::Denied),
        ("http://RULED.test./x".to_owned(), ErrorKind::Denied),
        ("http://a.test/x/../secret".to_owned(), ErrorKind::Denied),
        ("http://169.254.169.254/".to_owned(), ErrorKind::Denied),
        ("http://metadata.google.internal/".to_owned(), ErrorKind::Denied),
        (format!("http://127.0.0.2:{port}/"), ErrorKind::Denied),
        ("http://[::1]/".to_owned(), ErrorKind::Denied),
        ("http://2130706433/".to_owned(), ErrorKind::InvalidArguments),
        ("http://user:pw@a.test/".to_owned(), ErrorKind::InvalidArguments),
        ("http://[fe80::1%25lo]/".to_owned(), ErrorKind::InvalidArguments),
        ("file:///etc/passwd".to_owned(), ErrorKind::InvalidArguments),
        ("a.test/x".to_owned(), ErrorKind::InvalidArguments),
        ("http://a.test:0/".to_owned(), ErrorKind::InvalidArguments),
        ("http://a .test/".to_owned(), ErrorKind::InvalidArguments),
        (String::new(), ErrorKind::InvalidArguments),
    ] {
        let error = fetch(&session, &url).await.unwrap_err();
        assert_eq!(error.kind, kind, "{url}: {error:?}");
        assert_eq!(operator.details(), [""; 0], "{url}");
    }
    assert!(dns.names().is_empty() && server.recorder().connections().is_empty());
}

#[tokio::test]
async fn hops_are_not_asked_about_again() {
    let other = ScriptServer::start(echo);
    let location = other.url("/there");
    let server = ScriptServer::start(move |request| match request.path() {
        "/one" => scripts::redirect(302, "/two"),
        _ => scripts::redirect(302, &location),
    });
    let stage = stage(Mode::Ask, |config| {
        config.url_scope.allow = owned(&[&server.url(""), &other.url("")])
    });
    let operator = Operator::says(Decision::Once);
    let session = asking(&stage, &operator);
    assert_eq!(fetch(&session, &server.url("/one")).await.unwrap()["body"], "/there");
    assert_eq!(operator.details(), [server.url("/one")]);
    // Each call is a question of its own.
    fetch(&session, &server.url("/one")).await.unwrap();
    assert_eq!(operator.details(), [server.url("/one")]);
}

#[tokio::test]
async fn a_grant_for_the_session_covers_the_url_however_it_is_written() {
    let server = ScriptServer::start(echo);
    let port = server.address().port();
    let stage = stage(Mode::Ask, |config| {
        config.url_scope.allow = vec![format!("http://a.test:{port}=127.0.0.1")];
    });
    let operator = Operator::says(Decision::Session);
    let session = asking(&stage, &operator);
    let url = |path: &str| format!("http://a.test:{port}{path}");
    fetch(&session, &url("/x?q")).await.unwrap();
    assert_eq!(operator.details(), [url("/x?q")]);
    for same in [url("/x?q"), url("/y/../x?q#part"), format!("HTTP://A.test.:{port}/x?q")] {
        fetch(&session, &same).await.unwrap();
        assert_eq!(operator.details(), [""; 0], "{same}");
    }
    for other in ["/x?Q", "/x", "/x/?q", "/X?q", "/x?q&r"] {
        fetch(&session, &url(other)).await.unwrap();
        assert_eq!(operator.details(), [url(other)]);
    }
    // Another session has given nothing.
    fetch(&asking(&stage, &operator), &url("/x?q")).await.unwrap();
    assert_eq!(operator.details(), [url("/x?q")]);
}

#[tokio::test]
async fn a_grant_for_the_tool_opens_no_url_that_cannot_be_fetched() {
    let server = ScriptServer::start(echo);
    let stage = stage(Mode::Ask, |config| {
        config.url_scope.allow = owned(&[&server.url(""), "http://*.test"]);
        config.permissions.deny = owned(&["fetch_url:*/secret*"]);
    });
    let operator = Operator::says(Decision::SessionTool);
    let session = asking(&stage, &operator);
    fetch(&session, &server.url("/x")).await.unwrap();
    assert!(operator.asked.lock().unwrap()[0].offers(Decision::SessionTool));
    assert_eq!(operator.details().len(), 1);
    assert_eq!(fetch(&session, &server.url("/y?z")).await.unwrap()["body"], "/y?z");
    for url in [
        "http://other.example/".to_owned(),
        "http://169.254.169.254/".to_owned(),
        server.url("/secret"),
        server.url("/x/../secret/y"),
    ] {
        assert_eq!(
            fetch(&session, &url).await.unwrap_err().kind,
            ErrorKind::Denied,
            "{url}"
        );
    }
    assert_eq!(operator.details(), [""; 0]);
    assert_eq!(server.recorder().targets(), ["/x", "/y?z"]);
}

#[tokio::test]
async fn p42_to_p44_rules_by_host_and_by_url() {
    let server = ScriptServer::start(echo);
    let port = server.address().port();
    let url = |path: &str| format!("http://A.Test.:{port}{path}");
    let cases = [
        (format!("fetch_url:a.test:{port}/*"), "/x/y?z", true),
        (format!("fetch_url:http://a.test:{port}/*"), "/x/y?z", true),
        (format!("fetch_url:http://a.test:{port}/x"), "/x#part", true),
        (format!("fetch_url:http://a.test:{port}/x"), "/x?y", false),
        (format!("fetch_url:https://a.test:{port}/*"), "/x", false),
        ("fetch_url:a.test/*".to_owned(), "/x", false),
        (format!("fetch_url:b.test:{port}/*"), "/a.test", false),
        ("fetch_url:*".to_owned(), "/x", true),
        ("tool.fetch_url".to_owned(), "/x", true),
        ("read_file:*".to_owned(), "/x", false),
    ];
    for (rule, path, matches) in cases {
        for mode in [Mode::Ask, Mode::Allow, Mode::AcceptEdits] {
            let stage = stage(mode, |config| {
                config.url_scope.allow = vec![format!("http://a.test:{port}=127.0.0.1")];
                config.permissions.allow = vec![rule.clone()];
            });
            let before = server.recorder().requests().len();
            let done = stage.fetch(&url(path)).await;
            assert_eq!(done.is_ok(), matches, "{mode} {rule} {path}: {done:?}");
            assert_eq!(server.recorder().requests().len() - before, usize::from(matches));
        }
        let stage = stage(Mode::Yolo, |config| {
            config.url_scope.allow = vec![format!("http://a.test:{port}=127.0.0.1")];
            config.permissions.deny = vec![rule.clone()];
            config.permissions.allow = owned(&["fetch_url:*"]);
        });
        let before = server.recorder().requests().len();
        match stage.fetch(&url(path)).await {
            Ok(_) => assert!(!matches, "{rule} {path}"),
            Err(error) => {
                assert!(matches && error.kind == ErrorKind::Denied, "{rule} {path}: {error:?}");
                assert!(
                    error.message.contains(&rule) || rule.starts_with("tool."),
                    "{rule}: {error:?}"
                );
            }
        }
        assert_eq!(
            server.recorder().requests().len() - before,
            usize::from(!matches),
            "{rule}"
        );
    }
}

#[tokio::test]
async fn modes_that_do_not_ask_refuse_and_mode_plan_refuses_rules_too() {
    let server = ScriptServer::start(echo);
    let operator = Operator::says(Decision::Session);
    for (mode, rule, asked, passes) in [
        (Mode::Ask, false, true, true),
        (Mode::AcceptEdits, false, true, true),
        (Mode::Allow, false, false, false),
        (Mode::Allow, true, false, true),
        (Mode::Plan, false, false, false),
        (Mode::Plan, true, false, false),
        (Mode::Yolo, false, false, true),
    ] {
        let stage = stage(mode, |config| {
            config.url_scope.allow = owned(&[&server.url("")]);
            config.permissions.allow = if rule { owned(&["fetch_url:*"]) } else { Vec::new() };
        });
        let before = server.recorder().requests().len();
        let done = fetch(&asking(&stage, &operator), &server.url("/x")).await;
        assert_eq!(done.is_ok(), passes, "{mode} {rule}: {done:?}");
        assert_eq!(operator.details().len(), usize::from(asked), "{mode} {rule}");
        assert_eq!(
            server.recorder().requests().len() - before,
            usize::from(passes),
            "{mode} {rule}"
        );
    }
}

#[tokio::test]
async fn a_required_plan_comes_before_the_first_request() {
    let server = ScriptServer::start(echo);
    let agents = tempfile::tempdir().unwrap();
    let stage = Stage::built(
        |config| {
            config.url_scope.allow = owned(&[&server.url("")]);
            config.permissions.plan_mode = Some(PlanMode::Required);
            config.permissions.allow = owned(&["fetch_url:*"]);
        },
        |builder| builder.agents_dir(agents.path()),
    );
    let operator = Operator::says(Decision::Session);
    let session = asking(&stage, &operator);
    let error = fetch(&session, &server.url("/x")).await.unwrap_err();
    assert!(
        error.kind == ErrorKind::Denied && error.message.contains("plan"),
        "{error:?}"
    );
    assert_eq!(operator.details(), [""; 0]);
    assert!(server.recorder().connections().is_empty());
    session.record_plan("1. Look at the page.").unwrap();
    assert_eq!(fetch(&session, &server.url("/x")).await.unwrap()["body"], "/x");
}
