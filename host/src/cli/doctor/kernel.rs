//! What the kernel offers.

use landlock::{ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, Scope};
use rustix::fs::{Mode, OFlags, ResolveFlags};

use super::{Check, Status};

/// Oldest kernel with `openat2`, on which the filesystem door rests.
const OPENAT2_KERNEL: (u32, u32) = (5, 6);

/// Oldest ABI worth relying on: it restricts truncation too.
const LANDLOCK_WANTED: ABI = ABI::V3;

pub(super) fn checks() -> Vec<Check> {
    let release = rustix::system::uname().release().to_string_lossy().into_owned();
    let version = version(&release);
    vec![
        kernel(&release, version),
        openat2(),
        landlock(),
        seccomp(),
        user_namespaces(),
    ]
}

fn kernel(release: &str, version: (u32, u32)) -> Check {
    Check {
        name: "kernel",
        status: if version >= OPENAT2_KERNEL {
            Status::Ok
        } else {
            Status::Failed
        },
        found: format!("Linux {release}"),
        without: "needs Linux 5.6 or newer",
    }
}

/// Opens the root directory the way the filesystem door opens everything. A
/// system call filter of a container may forbid it on any kernel.
fn openat2() -> Check {
    let resolve =
        ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS | ResolveFlags::NO_XDEV;
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = rustix::fs::open("/", flags, Mode::empty())
        .and_then(|root| rustix::fs::openat2(&root, ".", flags, Mode::empty(), resolve));
    let (status, found) = match opened {
        Ok(_) => (Status::Ok, "works".to_owned()),
        Err(error) => (Status::Failed, format!("refused: {error}")),
    };
    Check {
        name: "openat2",
        status,
        found,
        without: "no file can be opened safely; allow the system call in the container's filter",
    }
}

/// Makes rulesets, enforcing none, to see the newest kind that the kernel takes.
fn landlock() -> Check {
    let abis = [ABI::V6, ABI::V5, ABI::V4, ABI::V3, ABI::V2, ABI::V1];
    let (status, found) = match abis.into_iter().find(|abi| takes_rulesets_of(*abi)) {
        Some(abi) if abi >= LANDLOCK_WANTED => (Status::Ok, format!("active, ABI {} or newer", abi as i32)),
        Some(abi) => (Status::Weaker, format!("active, ABI {} only", abi as i32)),
        None => (Status::Weaker, "not in this kernel, or not active".to_owned()),
    };
    Check {
        name: "Landlock",
        status,
        found,
        without: "no second fence around the process, should the first one have a hole; wants ABI 3 (Linux 6.2)",
    }
}

fn takes_rulesets_of(abi: ABI) -> bool {
    let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let made = ruleset.handle_access(AccessFs::from_all(abi)).and_then(|ruleset| {
        if abi < ABI::V4 {
            return ruleset.create();
        }
        let ruleset = ruleset.handle_access(AccessNet::from_all(abi))?;
        if abi < ABI::V6 {
            ruleset.create()
        } else {
            ruleset.scope(Scope::from_all(abi))?.create()
        }
    });
    made.is_ok()
}

fn seccomp() -> Check {
    let actions = std::fs::read_to_string("/proc/sys/kernel/seccomp/actions_avail").unwrap_or_default();
    let filters = actions.split_whitespace().any(|action| action == "errno");
    Check {
        name: "seccomp",
        status: if filters { Status::Ok } else { Status::Weaker },
        found: if filters { "filters available" } else { "no filters" }.to_owned(),
        without: "system calls of child processes cannot be narrowed",
    }
}

fn user_namespaces() -> Check {
    let number = |file: &str| {
        std::fs::read_to_string(file)
            .ok()
            .and_then(|text| text.trim().parse::<u64>().ok())
    };
    let most = number("/proc/sys/user/max_user_namespaces");
    let permitted = number("/proc/sys/kernel/unprivileged_userns_clone");
    let restricted = number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
    let (status, found) = match (most, permitted, restricted) {
        (None | Some(0), ..) => (Status::Weaker, "none may be created"),
        (_, Some(0), _) => (
            Status::Weaker,
            "forbidden for ordinary users (kernel.unprivileged_userns_clone)",
        ),
        (_, _, Some(1)) => (
            Status::Weaker,
            "restricted by AppArmor (kernel.apparmor_restrict_unprivileged_userns)",
        ),
        _ => (Status::Ok, "available"),
    };
    Check {
        name: "user namespaces",
        status,
        found: found.to_owned(),
        without: "child processes cannot be given a file system and network of their own",
    }
}

/// Major and minor number of a release such as `6.18.2-generic`.
fn version(release: &str) -> (u32, u32) {
    let mut numbers = release
        .split(|character: char| !character.is_ascii_digit())
        .map(|number| number.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_read() {
        assert_eq!(version("6.18.2-generic"), (6, 18));
        assert_eq!(version("5.4+"), (5, 4));
        assert_eq!(version("odd"), (0, 0));
    }
}
