//! One pass over a path that meets the rules of the table.

use super::super::fold::Case;
use super::class::MandatoryClass;
use super::table::{RULES, begins, by_shape, ends_like_a_key};

/// How far a rule gets on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// The path is what the rule names, or below it.
    At,
    /// The rule goes on where the path ends: what it names may lie below.
    Above,
}

/// The first rule in the path that `wanted` says yes to. Costs a look at the
/// first letter and the last four bytes of each name, unless they hit.
pub(super) fn find(path: &str, case: Case, wanted: impl Fn(MandatoryClass, Reach) -> bool) -> Option<MandatoryClass> {
    let any_case = case == Case::Folded;
    let mut from = 0;
    while from < path.len() {
        let rest = &path[from..];
        let length = rest.bytes().position(|byte| byte == b'/').unwrap_or(rest.len());
        let name = &rest[..length];
        from += length + 1;
        if !begins(name.as_bytes()) && !ends_like_a_key(name.as_bytes(), any_case) {
            continue;
        }
        if let Some(class) = by_shape(name, any_case)
            && wanted(class, Reach::At)
        {
            return Some(class);
        }
        for rule in RULES {
            if same(rule.names[0], name, any_case)
                && let Some(reach) = reach(&rule.names[1..], rest.split('/').skip(1), rule.alone, any_case)
                && wanted(rule.class, reach)
            {
                return Some(rule.class);
            }
        }
    }
    None
}

fn reach<'a>(
    pattern: &[&str],
    mut names: impl Iterator<Item = &'a str> + Clone,
    alone: bool,
    any_case: bool,
) -> Option<Reach> {
    let Some((first, rest)) = pattern.split_first() else {
        return (!alone || names.next().is_none()).then_some(Reach::At);
    };
    if *first == "**" {
        // Only the last name of a rule follows: each name on the way may be it.
        let last = rest.first().copied().unwrap_or_default();
        let met = names.any(|name| same(last, name, any_case));
        return Some(if met { Reach::At } else { Reach::Above });
    }
    match names.next() {
        None => Some(Reach::Above),
        Some(name) if *first == "*" || same(first, name, any_case) => reach(rest, names, alone, any_case),
        Some(_) => None,
    }
}

fn same(one: &str, other: &str, any_case: bool) -> bool {
    one == other || (any_case && one.eq_ignore_ascii_case(other))
}
