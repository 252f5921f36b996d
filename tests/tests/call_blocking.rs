//! Calls without a runtime: the same results, and the same deadline although the guest runs on the waiting thread.

use std::time::{Duration, Instant};

use serde_json::json;
use toolgate::{Call, ErrorKind};
use toolgate_tests::rig::Rig;

#[test]
fn the_result_is_that_of_an_asynchronous_call() {
    let rig = Rig::new(
        |base| std::fs::write(base.join("W/a.txt"), "one\ntwo\n").unwrap(),
        |builder| builder,
    );
    let session = rig.session();
    let call = || Call::new("read_file", json!({"path": "a.txt"}));
    let blocking = session.call_blocking(call()).unwrap().value;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    assert_eq!(blocking, runtime.block_on(session.call(call())).unwrap().value);
    assert_eq!(blocking["content"], "one\ntwo\n");
    let missing = session.call_blocking(Call::new("no_such_tool", json!({}))).unwrap_err();
    assert_eq!(missing.kind, ErrorKind::NotFound);
}

#[test]
fn the_deadline_holds_on_the_waiting_thread() {
    let setup = |base: &std::path::Path| {
        let line = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n";
        std::fs::write(base.join("W/large.txt"), line.repeat(4 << 20)).unwrap();
    };
    let rig = Rig::new(setup, |builder| builder);
    rig.host.warm().unwrap();
    let call = |pattern: &str, deadline| {
        let call = Call::new("grep", json!({"pattern": pattern})).deadline(deadline);
        rig.session().call_blocking(call)
    };
    let started = Instant::now();
    call("[a-y]+z$", Duration::from_secs(60)).unwrap();
    let whole = started.elapsed();
    let started = Instant::now();
    let error = call("[a-y]+z$", whole / 8).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Deadline, "{error}");
    assert!(started.elapsed() < whole, "stopped only after {:?}", started.elapsed());
}
