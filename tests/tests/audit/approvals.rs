//! How long a call waited for its approval, and what came of it.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use toolgate::gate::Asked;
use toolgate::{Call, Config, Decision, Mode, PromptRequest, Prompter};

use crate::stage::{Stage, State};

const THINKING: Duration = Duration::from_millis(120);

/// Somebody who thinks for a while and then says this.
struct Operator(Decision);

impl Prompter for Operator {
    fn prompt<'a>(&'a self, _: &'a PromptRequest) -> Asked<'a> {
        Box::pin(async {
            tokio::time::sleep(THINKING).await;
            Ok(self.0.into())
        })
    }
}

#[tokio::test]
async fn the_time_that_a_call_waits_is_recorded() {
    let stage = Stage::with(Config::default(), State::new(), |builder| builder.mode(Mode::Ask));
    let write = || Call::new("write_file", json!({"path": "b.txt", "content": "x"}));
    let asked = |decision| stage.rig.session_with(Arc::new(Operator(decision)));
    asked(Decision::Once).call(write()).await.unwrap();
    asked(Decision::Deny).call(write()).await.unwrap_err();
    let given_up = tokio::time::timeout(THINKING / 2, asked(Decision::Once).call(write())).await;
    assert!(given_up.is_err());
    stage
        .rig
        .session()
        .call(Call::new("stat", json!({"path": "a.txt"})))
        .await
        .unwrap();

    let records = stage.records();
    let told: Vec<_> = records
        .iter()
        .map(|record| (&record["outcome"], &record["decision"]))
        .collect();
    let (allowed, refused, none) = (json!("allowed"), json!("refused"), json!(null));
    assert_eq!(
        told,
        [
            (&json!("ok"), &allowed),
            (&json!("denied"), &refused),
            (&json!("cancelled"), &none),
            (&json!("ok"), &allowed),
        ]
    );
    let waited = |at: usize| records[at]["waited_us"].as_u64();
    let least = THINKING.as_micros() as u64;
    assert!(waited(0) >= Some(least) && waited(1) >= Some(least), "{records:?}");
    assert!(waited(2) >= Some(least / 3), "{records:?}");
    assert_eq!(waited(3), None, "nobody was asked");
    assert!(
        records[0]["decided_by"].as_str().unwrap().contains("operator"),
        "{}",
        records[0]
    );
}
