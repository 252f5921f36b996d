//! Which processes come from this one.

/// Generations looked at; no real chain is that long.
const GENERATIONS: usize = 256;

/// Whether a process was started by this one, directly or by others that still
/// run. What a tool starts must not answer for the operator; this holds even
/// where such a process could reach the socket.
pub(super) fn is_descendant(pid: i32) -> bool {
    let own = std::process::id().cast_signed();
    let mut child = pid;
    for _ in 0..GENERATIONS {
        match parent(child) {
            Some(parent) if parent == own => return true,
            Some(parent) if parent > 1 => child = parent,
            _ => return false,
        }
    }
    false
}

fn parent(pid: i32) -> Option<i32> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
    line.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn children_and_theirs_are_known() {
        // The shell waits for its child, whose number it prints.
        let mut shell = Command::new("sh")
            .args(["-c", "sleep 60 & echo $!; wait"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let output = shell.stdout.take().unwrap();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line).unwrap();
        let sleep: i32 = line.trim().parse().unwrap();
        assert!(is_descendant(shell.id().cast_signed()));
        assert!(is_descendant(sleep));
        let own = std::process::id().cast_signed();
        assert!(!is_descendant(own));
        assert!(!is_descendant(1));
        assert!(!is_descendant(0));
        assert!(!is_descendant(parent(own).unwrap()));
        let grandchild = rustix::process::Pid::from_raw(sleep).unwrap();
        rustix::process::kill_process(grandchild, rustix::process::Signal::KILL).unwrap();
        shell.wait().unwrap();
    }
}
