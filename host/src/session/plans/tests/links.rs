//! What stands in the way: links, pipes, directories, missing rights.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::super::PlanOutcome;
use super::*;

fn plans(agents: &Agents) -> SessionPlans {
    session(&agents.host(PlanMode::Required, None), author("a", "s"))
}

#[test]
fn a_plans_directory_that_is_a_link_is_refused() {
    let agents = Agents::new();
    let plans = plans(&agents);
    let outside = tempfile::tempdir().unwrap();
    for target in [
        outside.path().to_owned(),
        PathBuf::from("elsewhere"),
        PathBuf::from(".."),
    ] {
        symlink(&target, agents.path.join("plans")).unwrap();
        for text in [failure(plans.record("A")), failure(plans.replan())] {
            assert!(
                text.contains("agents/plans") && text.contains("symbolic link"),
                "{text}"
            );
        }
        assert!(!plans.state().recorded());
        fs::remove_file(agents.path.join("plans")).unwrap();
    }
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
    assert_eq!(plans.record("A").unwrap().sequence, 1);
}

/// The agents directory itself is looked at again for each plan.
#[test]
fn an_agents_directory_that_became_a_link_is_refused() {
    let agents = Agents::new();
    let plans = plans(&agents);
    let outside = tempfile::tempdir().unwrap();
    fs::remove_dir(&agents.path).unwrap();
    let text = failure(plans.record("A"));
    assert!(
        text.contains("agents directory") && text.contains("No such file"),
        "{text}"
    );
    symlink(outside.path(), &agents.path).unwrap();
    let text = failure(plans.record("A"));
    assert!(
        text.contains("agents directory") && text.contains("symbolic link"),
        "{text}"
    );
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[test]
fn links_and_pipes_under_the_name_of_a_plan_are_neither_read_nor_written() {
    let agents = Agents::new();
    let victim = agents.path.join("victim");
    fs::write(&victim, "---\nsession: \"s\"\nagent: \"a\"\n---\nmine\n").unwrap();
    fs::create_dir(agents.path.join("plans")).unwrap();
    symlink("../victim", agents.plan("plan-1.md")).unwrap();
    symlink("absent", agents.plan("plan-2.md")).unwrap();
    let fifo = rustix::fs::Mode::from_raw_mode(0o644);
    rustix::fs::mkfifoat(rustix::fs::CWD, agents.plan("plan-3.md"), fifo).unwrap();
    fs::create_dir(agents.plan("plan-4.md")).unwrap();
    let plans = plans(&agents);
    let withdrawn = plans.replan().unwrap();
    assert_eq!(withdrawn.archived_path, None);
    assert_eq!(plans.record("A").unwrap().sequence, 5);
    // The file that is remembered is swapped for a link.
    fs::remove_file(agents.plan("plan-5.md")).unwrap();
    symlink("../victim", agents.plan("plan-5.md")).unwrap();
    let next = plans.record("B").unwrap();
    assert_eq!((next.outcome, next.sequence), (PlanOutcome::Recorded, 6));
    assert!(fs::read_to_string(&victim).unwrap().ends_with("mine\n"));
}

#[test]
fn what_fails_names_what_and_where_and_opens_nothing() {
    let agents = Agents::new();
    let plans = plans(&agents);
    fs::write(agents.path.join("plans"), "a file").unwrap();
    let text = failure(plans.record("A"));
    assert!(
        text.contains("open the plans directory") && text.contains("agents/plans"),
        "{text}"
    );
    assert!(!plans.state().recorded());
    fs::remove_file(agents.path.join("plans")).unwrap();

    plans.record("A").unwrap();
    fs::write(agents.plan("plan-1-revoked.md"), "in the way").unwrap();
    let text = failure(plans.replan());
    for part in ["plan-1.md", "plan-1-revoked.md", "exists", "none on record"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!plans.state().recorded(), "it is cleared in any case");
    let again = plans.record("A").unwrap();
    assert_eq!((again.outcome, again.sequence), (PlanOutcome::Recorded, 2));
    assert!(again.message.contains("unblocked"), "{}", again.message);

    fs::write(agents.plan("plan-18446744073709551615.md"), "").unwrap();
    plans.new_turn();
    let text = failure(plans.record("C"));
    assert!(text.contains("number") && text.contains("agents/plans"), "{text}");
}

#[test]
fn a_directory_that_cannot_be_written_is_told() {
    if rustix::process::geteuid().is_root() {
        // Root may write anywhere, except where nobody can.
        return check_unwritable(std::path::Path::new("/proc"));
    }
    let agents = Agents::new();
    fs::set_permissions(&agents.path, fs::Permissions::from_mode(0o555)).unwrap();
    check_unwritable(&agents.path);
    fs::set_permissions(&agents.path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn check_unwritable(agents: &std::path::Path) {
    let store = PlanStore::open(agents).unwrap();
    let plans = session(
        &Arc::new(Plans::new(PlanMode::Required, Some(store), None)),
        author("a", "s"),
    );
    let text = failure(plans.record("A"));
    assert!(
        text.contains("create the plans directory") && text.contains(agents.to_str().unwrap()),
        "{text}"
    );
    assert!(!plans.state().recorded());
}
