//! Which plan a session withdraws.

use super::author::Author;

/// An active plan and whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Active {
    pub(super) number: u64,
    pub(super) owner: Author,
}

/// The plan to withdraw, and the newest one if that is another and stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) withdrawn: Option<u64>,
    pub(super) left: Option<Active>,
}

/// The newest plan of this author. Where no plan says whose it is, the newest one; where some do
/// and none is the author's, none.
pub(super) fn choose(author: &Author, active: &[Active]) -> Choice {
    let newest = active.iter().max_by_key(|plan| plan.number);
    let named = active.iter().any(|plan| !plan.owner.is_unknown());
    let own = active
        .iter()
        .filter(|plan| !named || (!plan.owner.is_unknown() && author.may_withdraw(&plan.owner)))
        .map(|plan| plan.number)
        .max();
    Choice {
        withdrawn: own,
        left: newest.filter(|plan| Some(plan.number) != own).cloned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(number: u64, agent: &str, session: &str) -> Active {
        Active {
            number,
            owner: author(agent, session),
        }
    }

    fn author(agent: &str, session: &str) -> Author {
        let known = |name: &str| (!name.is_empty()).then(|| name.to_owned());
        Author {
            agent: known(agent),
            session: known(session),
        }
    }

    #[test]
    fn everybody_withdraws_their_own() {
        let plans = [plan(1, "a", "s"), plan(3, "b", "s"), plan(2, "a", "t"), plan(4, "", "")];
        for (agent, session, withdrawn) in [
            ("a", "s", Some(1)),
            ("b", "s", Some(3)),
            ("", "s", Some(3)),
            ("a", "", Some(2)),
            ("", "", Some(3)),
            ("c", "s", None),
        ] {
            let choice = choose(&author(agent, session), &plans);
            assert_eq!(choice.withdrawn, withdrawn, "{agent} {session}");
            assert_eq!(choice.left, Some(plans[3].clone()));
        }
    }

    #[test]
    fn where_nobody_is_named_the_newest_goes() {
        let plans = [plan(4, "", ""), plan(9, "", "")];
        let choice = choose(&author("a", "s"), &plans);
        assert_eq!((choice.withdrawn, choice.left), (Some(9), None));
        let choice = choose(&author("a", "s"), &[]);
        assert_eq!((choice.withdrawn, choice.left), (None, None));
    }
}
