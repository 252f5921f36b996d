//! The plan of a session, seen from outside of one call: whose flag is set, and how long it lasts.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use serde_json::{Value, json};
use toolgate::config::PlanMode;
use toolgate::session::store::SqliteStore;
use toolgate::{Call, Config, Session, SessionOptions};
use toolgate_tests::rig::Rig;
use toolgate_tests::support::{Tree, cache_key, command, run};

use crate::stage::{State, named};

fn config() -> Config {
    let mut config = Config::default();
    config.permissions.plan_mode = Some(PlanMode::Required);
    config
}

fn agents(base: &Path) {
    std::fs::create_dir(base.join("W/.agents")).unwrap();
}

fn rig() -> Rig {
    let store = Arc::new(SqliteStore::in_memory().unwrap());
    Rig::with_config(config(), agents, |builder| builder.store(store))
}

async fn record(session: &Session, plan: &str) -> Value {
    let call = Call::new("record_plan", json!({"plan": plan}));
    Value::Object(session.call(call).await.unwrap().value)
}

/// Half of the sessions, named and unnamed, record a plan at the same time.
#[tokio::test(flavor = "multi_thread")]
async fn the_flag_of_the_calling_session_is_set() {
    let rig = rig();
    let sessions: Vec<_> = (0..32)
        .map(|number| {
            let id = (number % 4 < 2).then(|| format!("s{number}"));
            rig.host.session(SessionOptions {
                id,
                ..SessionOptions::default()
            })
        })
        .collect();
    let calls: Vec<_> = sessions
        .iter()
        .step_by(2)
        .map(|session| {
            let session = session.clone();
            tokio::spawn(async move { (record(&session, "the same plan").await, session) })
        })
        .collect();
    for call in calls {
        let (recorded, session) = call.await.unwrap();
        assert_eq!(recorded["session"], session.id());
        assert_eq!(recorded["outcome"], "recorded");
        let message = recorded["message"].as_str().unwrap();
        assert!(message.contains("Now unblocked for this session: "), "{message}");
        let text = std::fs::read_to_string(recorded["path"].as_str().unwrap()).unwrap();
        assert!(text.contains(&format!("session: {:?}\n", session.id())), "{text}");
    }
    for (number, session) in sessions.iter().enumerate() {
        assert_eq!(session.plan_recorded(), number % 2 == 0, "{number}");
        assert_eq!(session.clone().plan_recorded(), number % 2 == 0, "{number}");
    }
    let files = std::fs::read_dir(rig.inside().join(".agents/plans")).unwrap();
    assert_eq!(files.count(), 16);
}

/// Calls of one session at the same time: one opens the way and says so.
#[tokio::test(flavor = "multi_thread")]
async fn one_of_many_calls_announces() {
    let rig = rig();
    let session = rig.host.session(named("s"));
    let calls: Vec<_> = (0..12)
        .map(|number| {
            let session = session.clone();
            tokio::spawn(async move { record(&session, &format!("plan {number}")).await })
        })
        .collect();
    let mut announced = 0;
    for call in calls {
        let recorded = call.await.unwrap();
        assert_eq!(recorded["sequence"], 1);
        announced += usize::from(recorded["message"].as_str().unwrap().contains("Now unblocked"));
    }
    assert_eq!(announced, 1);
}

#[tokio::test]
async fn siblings_have_one_plan() {
    let rig = rig();
    let session = rig.session();
    let sibling = session.sibling(None);
    record(&sibling, "A").await;
    assert!(session.plan_recorded());
    assert_eq!(record(&session, "A").await["outcome"], "unchanged");
    assert!(session.replan().unwrap().plan_was_active);
    assert!(!sibling.plan_recorded());
}

/// A second session of the same name, as a second process would have it.
#[tokio::test]
async fn sessions_of_one_name_have_one_flag() {
    let rig = rig();
    let (one, other) = (rig.host.session(named("n")), rig.host.session(named("n")));
    record(&one, "A").await;
    assert!(other.plan_recorded());
    let again = record(&other, "B").await;
    assert_eq!(again["outcome"], "recorded", "they have turns of their own");
    assert!(
        again["message"].as_str().unwrap().contains("before this call"),
        "{again}"
    );
    other.replan().unwrap();
    assert!(!one.plan_recorded() && !rig.host.session(named("n")).plan_recorded());
    assert!(!rig.host.session(named("m")).plan_recorded());
}

#[tokio::test]
async fn a_flag_that_cannot_be_kept_is_told() {
    let rig = rig();
    let nameless = rig.host.session(named(""));
    let recorded = record(&nameless, "A").await;
    let message = recorded["message"].as_str().unwrap();
    assert!(
        message.contains("Later processes will not know") && message.contains("1 to 256 bytes"),
        "{message}"
    );
    assert!(nameless.plan_recorded() && nameless.replan().unwrap().plan_was_active && !nameless.plan_recorded());
}

/// A drawn name is nothing that a store should keep.
#[tokio::test]
async fn unnamed_sessions_keep_nothing() {
    let state = State::new();
    let rig = Rig::with_config(config(), agents, |builder| state.used_by(builder));
    let session = rig.session();
    assert!(!session.plan_recorded());
    record(&session, "A").await;
    session.replan().unwrap();
    assert!(!state.sessions().exists());
}

#[test]
fn the_tool_is_there_where_plans_are() {
    let built = |mode: Option<PlanMode>, configure: fn(&mut Config), plant: fn(&Path)| {
        let mut config = Config::default();
        config.permissions.plan_mode = mode;
        configure(&mut config);
        let host = Rig::with_config(config, plant, |builder| builder).host;
        host.has_tool("record_plan")
    };
    let nothing = |_: &mut Config| {};
    assert!(!built(None, nothing, agents));
    assert!(!built(Some(PlanMode::Off), nothing, agents));
    assert!(built(Some(PlanMode::Advisory), nothing, agents));
    assert!(built(Some(PlanMode::Required), nothing, agents));
    assert!(!built(Some(PlanMode::Required), nothing, |_| {}));
    let disabled = |config: &mut Config| config.tools.disable = vec!["record_plan".to_owned()];
    assert!(!built(Some(PlanMode::Required), disabled, agents));
    assert!(!built(None, disabled, agents));

    let absent = toolgate_tests::rig::builder(Path::new(".")).config(config());
    let error = absent.agents_dir("/nowhere/agents").build().err().unwrap().to_string();
    assert!(
        error.contains("/nowhere/agents") && error.contains("agents directory"),
        "{error}"
    );
}

/// What a host says of the tool follows the mode.
#[test]
fn the_description_follows_the_mode() {
    for (mode, has, lacks) in [
        (PlanMode::Required, "denied until", "advisory"),
        (PlanMode::Advisory, "no call waits for one", "denied"),
    ] {
        let mut config = config();
        config.permissions.plan_mode = Some(mode);
        let host = Rig::with_config(config, agents, |builder| builder).host;
        let tools = host.tools();
        let tool = tools.iter().find(|tool| tool.name == "record_plan").unwrap();
        assert!(
            tool.description.contains(has) && !tool.description.contains(lacks),
            "{}",
            tool.description
        );
        assert!(!tool.class.read_only && !tool.class.open_world);
    }
}

/// `toolgate call --session NAME record_plan`, each in a process of its own.
#[test]
fn a_plan_counts_in_the_next_process() {
    let state = State::with_key_of(cache_key().parent().unwrap());
    let tree = Tree::new(&[]);
    let root = Path::new(tree.text()).canonicalize().unwrap();
    std::fs::create_dir(root.join(".agents")).unwrap();
    let file = state.home().join("toolgate.toml");
    std::fs::write(&file, "[permissions]\nplan_mode = \"required\"\n").unwrap();
    let call = |session: &[&str], plan: &str| -> Value {
        let mut process: Command = command();
        let output = process
            .env("XDG_STATE_HOME", state.home())
            .args([
                "call",
                "--root",
                root.to_str().unwrap(),
                "--config",
                file.to_str().unwrap(),
            ])
            .args(session)
            .args(["record_plan", &json!({"plan": plan}).to_string()])
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let message = |result: &Value| result["message"].as_str().unwrap().to_owned();
    let first = call(&["--session", "n"], "A");
    assert_eq!(first["path"], root.join(".agents/plans/plan-1.md").to_str().unwrap());
    assert!(message(&first).contains("Now unblocked"), "{first}");
    let second = call(&["--session", "n"], "B");
    assert_eq!(second["sequence"], 2);
    assert!(message(&second).contains("before this call"), "{second}");
    let other = call(&["--session", "m"], "C");
    assert!(message(&other).contains("Now unblocked"), "{other}");
    let unnamed = call(&[], "D");
    assert!(message(&unnamed).contains("Now unblocked"), "{unnamed}");

    // The operator withdraws it through the library.
    let start = || {
        let builder = toolgate_tests::rig::builder(&root).config(config());
        state.used_by(builder).build().unwrap()
    };
    let session = start().session(named("n"));
    assert!(session.plan_recorded());
    let withdrawn = session.replan().unwrap();
    assert!(withdrawn.archived_path.unwrap().ends_with("plan-2-revoked.md"));
    assert!(withdrawn.message.contains("plan-4.md"), "{}", withdrawn.message);
    let third = call(&["--session", "n"], "B");
    assert_eq!((&third["sequence"], &third["outcome"]), (&json!(5), &json!("recorded")));
    assert!(message(&third).contains("Now unblocked"), "{third}");
}

#[test]
fn an_unknown_mode_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("toolgate.toml");
    std::fs::write(&file, "[permissions]\nplan_mode = \"on\"\n").unwrap();
    let done = run(&["--config", file.to_str().unwrap(), "tools"]);
    assert_eq!(done.status, Some(2), "{done:?}");
    for part in ["plan_mode", "off", "advisory", "required"] {
        assert!(done.stderr.contains(part), "{part}: {done:?}");
    }
}
