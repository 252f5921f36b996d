//! The gate's deny rules, as far as they concern where a call may go.

use std::sync::Arc;

use super::egress::recorded;
use super::failure::{Class, Failure};
use crate::gate::{Rule, denied_among};
use crate::scope::web::WebUrl;

/// The deny rules that speak of the tool that calls. They hold at every hop, also for requests that
/// the gate has not seen.
#[derive(Clone)]
pub(in crate::sandbox) struct DenyRules {
    pub(in crate::sandbox) tool: Arc<str>,
    pub(in crate::sandbox) rules: Arc<[Arc<Rule>]>,
}

impl DenyRules {
    pub(super) fn check(&self, url: &WebUrl) -> Result<(), Failure> {
        match denied_among(&self.rules, &self.tool, url.as_str()) {
            None => Ok(()),
            Some(rule) => Err(Failure::new(
                Class::Denied,
                format!(
                    "denied, {} is stopped by the rule {:?} (rule {})",
                    recorded(url),
                    rule.text(),
                    rule.id()
                ),
            )),
        }
    }
}
