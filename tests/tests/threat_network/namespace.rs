//! Running a test in a network of its own, in which every address there is leads back to this machine.

use std::process::Command;

/// Set in the run inside.
const GUARD: &str = "TOOLGATE_TESTS_OWN_NETWORK";

/// Makes every address local to the loopback interface, the only one there is: a connection to any
/// of them succeeds if somebody listens, and whatever is sent passes an observer on that interface.
/// A namespace without routes would not show an attempt to reach, say, 169.254.169.254.
const SET_UP: &str = "ip link set lo up && ip route add local default dev lo \
                      && ip -6 route add local default dev lo && exec \"$@\"";

/// Whether the calling test, `name` in the module `module`, runs in a network of its own. If not, it
/// is run there by this function, which fails if it fails, and which says so where there is no way.
pub(crate) fn entered(module: &str, name: &str) -> bool {
    if std::env::var_os(GUARD).is_some() {
        return true;
    }
    let probe = unshared().arg("true").output();
    let why = match probe {
        Err(error) => Some(format!("unshare cannot be run: {error}")),
        Ok(probe) if !probe.status.success() => {
            let stderr = String::from_utf8_lossy(&probe.stderr).trim().to_owned();
            Some(format!("there is no network namespace to be had: {stderr}"))
        }
        Ok(_) => None,
    };
    let (_, module) = module.split_once("::").unwrap();
    let test = format!("{module}::{name}");
    if let Some(why) = why {
        crate::left_out(&test, &why);
        return false;
    }
    let run = unshared()
        .arg(std::env::current_exe().unwrap())
        .args([&test, "--exact", "--nocapture", "--test-threads=1"])
        .env(GUARD, "1")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&run.stdout);
    assert!(
        run.status.success() && told.contains("1 passed"),
        "{test} in a network of its own:\n{told}\n{}",
        String::from_utf8_lossy(&run.stderr)
    );
    false
}

fn unshared() -> Command {
    let mut command = Command::new("unshare");
    if !rustix::process::geteuid().is_root() {
        command.args(["--user", "--map-root-user"]);
    }
    command.args(["--net", "sh", "-c", SET_UP, "sh"]);
    command
}
