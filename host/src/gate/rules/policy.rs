//! The allow list and the deny list.

use std::sync::Arc;

use super::glob::Side;
use super::keys::{Spellings, spellings};
use super::rule::{Rule, RuleError};
use crate::gate::shell;

/// What the rules say of a request.
#[derive(Debug, Clone, Copy)]
pub enum Ruling<'a> {
    /// A deny rule matched.
    Deny(&'a Rule),
    /// An allow rule matched, and no deny rule.
    Allow(&'a Rule),
    /// No rule matched.
    Unmatched,
}

/// The parsed allow and deny lists.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    allow: Vec<Arc<Rule>>,
    deny: Vec<Arc<Rule>>,
}

impl Policy {
    /// Parses both lists; relative paths are taken below `project`. The rules
    /// have the ids `permissions.allow[0]`, `permissions.deny[0]` and so on.
    ///
    /// # Errors
    /// The first rule that does not parse.
    pub fn parse(allow: &[String], deny: &[String], project: &str) -> Result<Self, RuleError> {
        Ok(Self {
            allow: parse_all(allow, "permissions.allow", Side::Allow, project)?,
            deny: parse_all(deny, "permissions.deny", Side::Deny, project)?,
        })
    }

    /// Adds the rules of a bundle, in front of the list.
    ///
    /// # Errors
    /// There is no bundle of this name.
    pub fn with_bundle(mut self, name: &str) -> Result<Self, RuleError> {
        let rules = shell::bundle(name).ok_or_else(|| RuleError {
            rule: name.to_owned(),
            reason: format!(
                "there is no bundle of this name; the bundles are {}{}",
                shell::BUNDLES.join(", "),
                crate::suggest::hint(name, shell::BUNDLES)
            ),
        })?;
        let texts: Vec<String> = rules.iter().map(|rule| (*rule).to_owned()).collect();
        let mut all = parse_all(&texts, &format!("builtin.{name}"), Side::Allow, "/")?;
        all.append(&mut self.allow);
        self.allow = all;
        Ok(self)
    }

    /// Adds one rule to the allow list.
    ///
    /// # Errors
    /// The rule does not parse.
    pub fn add_allow(&mut self, text: &str, id: String, project: &str) -> Result<(), RuleError> {
        self.allow.push(Arc::new(Rule::parse(text, id, Side::Allow, project)?));
        Ok(())
    }

    /// Adds one rule to the deny list.
    ///
    /// # Errors
    /// The rule does not parse.
    pub fn add_deny(&mut self, text: &str, id: String, project: &str) -> Result<(), RuleError> {
        self.deny.push(Arc::new(Rule::parse(text, id, Side::Deny, project)?));
        Ok(())
    }

    /// Notes where each rule comes from, given its id.
    #[must_use]
    pub fn located(mut self, origin: impl Fn(&str) -> Option<String>) -> Self {
        for rule in self.allow.iter_mut().chain(&mut self.deny) {
            let found = origin(rule.id());
            Arc::make_mut(rule).locate(found);
        }
        self
    }

    /// The allow list, in order.
    pub fn allow_list(&self) -> impl Iterator<Item = &Rule> {
        self.allow.iter().map(AsRef::as_ref)
    }

    /// The deny list, in order.
    pub fn deny_list(&self) -> impl Iterator<Item = &Rule> {
        self.deny.iter().map(AsRef::as_ref)
    }

    /// What looks like a mistake: rules that can never match, given the names
    /// of the registered tools. Rules for `documented` tools that this build
    /// does not have are none.
    pub fn remarks(&self, tools: &[&str], documented: &[&str]) -> Vec<String> {
        let known = |tool: &str| tools.contains(&tool) || documented.contains(&tool);
        self.allow_list()
            .chain(self.deny_list())
            .filter(|rule| !rule.id().starts_with("builtin."))
            .filter_map(|rule| match (rule.tool(), rule.bare()) {
                (Some(tool), _) if !known(tool) => Some(format!(
                    "the rule {:?} speaks of the tool {tool:?}, which is not registered{}",
                    rule.text(),
                    crate::suggest::hint(tool, tools.iter().chain(documented).copied())
                )),
                (None, Some(bare)) if known(bare) => Some(format!(
                    "the rule {:?} is a pattern for paths and other keys, not for a tool; did you mean \"{bare}:*\"?",
                    rule.text()
                )),
                _ => None,
            })
            .collect()
    }

    /// Deny wins over allow, whatever their order.
    pub fn rule(&self, tool: &str, key: &str) -> Ruling<'_> {
        if let Some(rule) = self.denies(tool, key) {
            Ruling::Deny(rule)
        } else if let Some(rule) = self.allows(tool, key) {
            Ruling::Allow(rule)
        } else {
            Ruling::Unmatched
        }
    }

    /// The deny rules that speak of this tool at all.
    pub(crate) fn denies_for(&self, tool: &str) -> Vec<Arc<Rule>> {
        self.deny.iter().filter(|rule| rule.speaks_of(tool)).cloned().collect()
    }

    /// The deny rule for this request, if any.
    pub fn denies(&self, tool: &str, key: &str) -> Option<&Rule> {
        denied_among(&self.deny, tool, key)
    }

    /// The allow rule for this request, if any; the deny list is separate.
    pub fn allows(&self, tool: &str, key: &str) -> Option<&Rule> {
        let mut list = self.allow_list();
        match spellings(tool, key) {
            None => list.find(|rule| rule.allows(tool, key)),
            Some(Spellings { allow, .. }) => list.find(|rule| allow.iter().any(|key| rule.allows(tool, key))),
        }
    }
}

/// The first of these deny rules that matches a request, in any spelling of its key.
pub(crate) fn denied_among<'a>(rules: &'a [Arc<Rule>], tool: &str, key: &str) -> Option<&'a Rule> {
    let mut list = rules.iter().map(AsRef::as_ref);
    match spellings(tool, key) {
        None => list.find(|rule| rule.matches(tool, key)),
        Some(Spellings { deny, .. }) => list.find(|rule| deny.iter().any(|key| rule.matches(tool, key))),
    }
}

fn parse_all(texts: &[String], list: &str, side: Side, project: &str) -> Result<Vec<Arc<Rule>>, RuleError> {
    let rules = texts.iter().enumerate();
    rules
        .map(|(number, text)| Rule::parse(text, format!("{list}[{number}]"), side, project).map(Arc::new))
        .collect()
}
