//! URLs: what the scope does not hold is refused before anybody is asked.

use super::{Judge, Judgement};
use crate::gate::decider::{Decider, Refusal};
use crate::gate::verdict;
use crate::scope::web::WebUrl;

impl Judge<'_> {
    /// Deny rules, the URL scope with its addresses, then as for every key.
    pub(in crate::gate) fn url(&self, tool: &str, url: &WebUrl) -> Judgement {
        let refused = self.out_of_urls(tool, url).or_else(|| self.plan_first(tool, false));
        self.keyed(tool, tool.to_owned(), url.as_str(), refused)
    }

    fn out_of_urls(&self, tool: &str, url: &WebUrl) -> Option<Refusal> {
        let refused = self.posture.urls.judge(url).err()?;
        let decider = Decider {
            origin: self.posture.origins.of(&refused.rule),
            ..Decider::found(refused.rule.clone(), "the URL scope")
        };
        Some(verdict::by_url_scope(tool, &refused.reason, refused.change, decider))
    }
}
