//! Who a plan belongs to.

use std::fmt;

/// An agent in a session; either may be unknown. Two unknown names are the same name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Author {
    /// The agent's name.
    pub agent: Option<String>,
    /// The session's name.
    pub session: Option<String>,
}

impl Author {
    /// Whether nothing is known.
    pub fn is_unknown(&self) -> bool {
        self.agent.is_none() && self.session.is_none()
    }

    /// Whether a plan of `owner` may be withdrawn by this author: what is not known of the author
    /// matches anything.
    pub(super) fn may_withdraw(&self, owner: &Self) -> bool {
        let fits = |mine: &Option<String>, theirs: &Option<String>| mine.is_none() || mine == theirs;
        fits(&self.agent, &owner.agent) && fits(&self.session, &owner.session)
    }
}

impl fmt::Display for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.agent, &self.session) {
            (Some(agent), Some(session)) => write!(f, "agent {agent:?} in session {session:?}"),
            (Some(agent), None) => write!(f, "agent {agent:?}"),
            (None, Some(session)) => write!(f, "session {session:?}"),
            (None, None) => f.write_str("nobody in particular"),
        }
    }
}
