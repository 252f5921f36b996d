//! The names of plan files: `plan-3.md`, and `plan-3-revoked.md` once it is withdrawn.

/// What the name of a plan file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PlanName {
    pub(super) number: u64,
    pub(super) revoked: bool,
}

impl PlanName {
    /// Reads a name. Names of other files, and numbers that are too large, are none.
    pub(super) fn parse(name: &str) -> Option<Self> {
        let stem = name.strip_prefix("plan-")?.strip_suffix(".md")?;
        let (digits, revoked) = match stem.strip_suffix("-revoked") {
            Some(digits) => (digits, true),
            None => (stem, false),
        };
        // `parse` alone would take a sign.
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number = digits.parse().ok()?;
        Some(Self { number, revoked })
    }
}

/// The name of an active plan.
pub(super) fn active(number: u64) -> String {
    format!("plan-{number}.md")
}

/// The name of a withdrawn plan.
pub(super) fn revoked(number: u64) -> String {
    format!("plan-{number}-revoked.md")
}

/// The number after all of these; a withdrawn number is never used again. `None` if there is none.
pub(super) fn next(names: impl IntoIterator<Item = PlanName>) -> Option<u64> {
    let last = names.into_iter().map(|name| name.number).max().unwrap_or(0);
    last.checked_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plan_files_have_a_number() {
        let name = |number, revoked| Some(PlanName { number, revoked });
        for (text, expected) in [
            ("plan-3.md", name(3, false)),
            ("plan-3-revoked.md", name(3, true)),
            ("plan-007.md", name(7, false)),
            ("plan-0.md", name(0, false)),
            ("plan-18446744073709551615.md", name(u64::MAX, false)),
            ("plan-18446744073709551616.md", None),
            ("plan-x.md", None),
            ("plan-.md", None),
            ("plan-+1.md", None),
            ("plan-1.md.bak", None),
            ("plan-1-revoked-revoked.md", None),
            ("plan-١.md", None),
            ("Plan-1.md", None),
            (".plan-1.md", None),
            ("notes.md", None),
            ("", None),
        ] {
            assert_eq!(PlanName::parse(text), expected, "{text}");
        }
        for number in [1, 12, u64::MAX] {
            assert_eq!(PlanName::parse(&active(number)), name(number, false));
            assert_eq!(PlanName::parse(&revoked(number)), name(number, true));
        }
    }

    #[test]
    fn numbers_grow() {
        let next = |names: &[&str]| next(names.iter().filter_map(|name| PlanName::parse(name)));
        assert_eq!(next(&[]), Some(1));
        assert_eq!(
            next(&["plan-2.md", "plan-7-revoked.md", "plan-3.md", "plan-99.txt"]),
            Some(8)
        );
        assert_eq!(next(&["plan-18446744073709551615.md"]), None);
    }
}
