//! Many at once: threads of one host, and hosts that know nothing of each other.

use std::collections::BTreeSet;
use std::fs;
use std::os::fd::OwnedFd;
use std::sync::Barrier;

use rustix::fs::{FlockOperation, Mode, OFlags, flock};

use super::super::PlanOutcome;
use super::*;

/// P11: two agents of one session at the same time.
#[test]
fn p11_each_agent_has_its_own_file() {
    for _ in 0..20 {
        let agents = Agents::new();
        let host = agents.host(PlanMode::Required, None);
        let start = Barrier::new(2);
        let mut numbers = std::thread::scope(|scope| {
            let threads = ["a", "b"].map(|agent| {
                let (host, start) = (&host, &start);
                scope.spawn(move || {
                    let plans = session(host, author(agent, "s"));
                    start.wait();
                    let recorded = plans.record("A").unwrap();
                    let text = fs::read_to_string(&recorded.path).unwrap();
                    assert!(text.contains(&format!("agent: \"{agent}\"")), "{text}");
                    assert_eq!(recorded.outcome, PlanOutcome::Recorded);
                    recorded.sequence
                })
            });
            threads.map(|thread| thread.join().unwrap())
        });
        numbers.sort_unstable();
        assert_eq!(numbers, [1, 2]);
        assert_eq!(agents.names(), ["plan-1.md", "plan-2.md"]);
    }
}

/// Stores that share a directory and nothing else, as those of several processes do. The lock is
/// taken by somebody for a while, so that some go on without it.
#[test]
fn no_process_overwrites_the_plan_of_another() {
    const HOSTS: usize = 6;
    const PLANS: usize = 15;
    for locked in [false, true] {
        let agents = Agents::new();
        fs::create_dir(agents.path.join("plans")).unwrap();
        let held = locked.then(|| hold(&agents));
        let start = Barrier::new(HOSTS);
        let plans = if locked { 2 } else { PLANS };
        let written: Vec<(String, String)> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..HOSTS)
                .map(|number| {
                    let (agents, start) = (&agents, &start);
                    scope.spawn(move || {
                        let host = agents.host(PlanMode::Required, None);
                        let own = session(&host, author("a", &format!("s{number}")));
                        start.wait();
                        let record = |round| {
                            own.new_turn();
                            let text = format!("plan {round} of {number}");
                            let recorded = own.record(&text).unwrap();
                            assert_eq!(recorded.outcome, PlanOutcome::Recorded);
                            (recorded.path, text)
                        };
                        (0..plans).map(record).collect::<Vec<_>>()
                    })
                })
                .collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        drop(held);
        assert_eq!(written.len(), HOSTS * plans);
        let paths: BTreeSet<_> = written.iter().map(|(path, _)| path).collect();
        assert_eq!(paths.len(), written.len(), "a number was given twice");
        for (path, text) in &written {
            assert!(
                fs::read_to_string(path).unwrap().ends_with(&format!("\n\n{text}\n")),
                "{path}"
            );
        }
        assert_eq!(agents.names().len(), written.len(), "{:?}", agents.names());
    }
}

fn hold(agents: &Agents) -> OwnedFd {
    let fd = rustix::fs::open(
        agents.path.join("plans"),
        OFlags::RDONLY | OFlags::CLOEXEC,
        Mode::empty(),
    )
    .unwrap();
    flock(&fd, FlockOperation::LockExclusive).unwrap();
    fd
}

/// Whoever withdraws while others record: numbers are never used again, and in the end the flag
/// says whether a plan of the session stands.
#[test]
fn withdrawn_numbers_are_never_used_again() {
    let agents = Agents::new();
    let host = agents.host(PlanMode::Required, None);
    let plans = session(&host, author("a", "s"));
    std::thread::scope(|scope| {
        for number in 0..4 {
            let plans = &plans;
            scope.spawn(move || {
                for round in 0..15 {
                    plans.record(&format!("plan {round} of {number}")).unwrap();
                    plans.replan().unwrap();
                }
            });
        }
    });
    let names = agents.names();
    let revoked = names.iter().filter(|name| name.ends_with("-revoked.md")).count();
    assert_eq!(revoked, names.len(), "{names:?}");
    assert!(!plans.state().recorded());
    let recorded = plans.record("last").unwrap();
    assert_eq!(recorded.sequence, names.len() as u64 + 1);
    assert!(plans.state().recorded());
}

/// A reader of the file never sees a part of it.
#[test]
fn an_update_is_whole_for_every_reader() {
    let agents = Agents::new();
    let host = agents.host(PlanMode::Required, None);
    let plans = session(&host, author("a", "s"));
    let text = |letter: char| letter.to_string().repeat(20_000);
    let path = plans.record(&text('a')).unwrap().path;
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            for _ in 0..300 {
                let text = fs::read_to_string(&path).unwrap();
                let body = text.split_once("---\n\n").unwrap().1.trim_end();
                assert_eq!(body.len(), 20_000);
                assert!(body.bytes().all(|byte| byte == body.as_bytes()[0]));
            }
        });
        for letter in ('b'..='z').cycle().take(60) {
            assert_eq!(plans.record(&text(letter)).unwrap().outcome, PlanOutcome::Updated);
        }
        reader.join().unwrap();
    });
    assert_eq!(agents.names(), ["plan-1.md"]);
}
