//! Allow and deny rules: `tool:glob`, `glob`, `tool.name`, `tool.name:glob`.

use std::str::FromStr;

/// A rule that does not parse.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the rule {rule:?} cannot be used: {reason}")]
pub struct RuleError {
    /// The rule as written.
    pub rule: String,
    /// What is wrong with it.
    pub reason: String,
}

/// One parsed rule.
#[derive(Debug, Clone)]
pub struct Rule {
    text: String,
    /// Any tool if absent.
    tool: Option<String>,
    glob: String,
}

impl FromStr for Rule {
    type Err = RuleError;

    /// The text is split at the first colon: tool on the left, glob over the
    /// key on the right. Without a colon it is a glob for any tool, except
    /// that `tool.NAME` means the whole tool NAME.
    fn from_str(text: &str) -> Result<Self, RuleError> {
        let fail = |reason: &str| RuleError {
            rule: text.to_owned(),
            reason: reason.to_owned(),
        };
        if text.trim().is_empty() {
            return Err(fail("it is empty"));
        }
        let (tool, glob) = match text.split_once(':') {
            Some(("", glob)) => (None, glob),
            Some((tool, glob)) => (Some(tool.strip_prefix("tool.").unwrap_or(tool)), glob),
            None => match text.strip_prefix("tool.") {
                Some(tool) => (Some(tool), "*"),
                None => (None, text),
            },
        };
        if glob.is_empty() {
            return Err(fail("it has no pattern after the colon; write * for every key"));
        }
        check(glob).map_err(fail)?;
        Ok(Self {
            text: text.to_owned(),
            tool: tool.map(str::to_owned),
            glob: glob.to_owned(),
        })
    }
}

impl Rule {
    /// The rule as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it speaks of this tool and key. A glob that is a literal and
    /// one final `*` is a plain prefix test; otherwise `*` and `?` stop at `/`.
    pub fn matches(&self, tool: &str, key: &str) -> bool {
        if self.tool.as_deref().is_some_and(|only| only != tool) {
            return false;
        }
        if self.glob == key {
            return true;
        }
        match self.glob.strip_suffix('*') {
            Some(prefix) if !prefix.contains(['*', '?', '[', '\\']) => key.starts_with(prefix),
            _ => glob_match(&self.glob, key),
        }
    }
}

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
    allow: Vec<Rule>,
    deny: Vec<Rule>,
}

impl Policy {
    /// Parses both lists.
    ///
    /// # Errors
    /// The first rule that does not parse.
    pub fn parse(allow: &[String], deny: &[String]) -> Result<Self, RuleError> {
        let parse = |list: &[String]| list.iter().map(|text| text.parse::<Rule>()).collect::<Result<Vec<_>, _>>();
        Ok(Self {
            allow: parse(allow)?,
            deny: parse(deny)?,
        })
    }

    /// What looks like a mistake: rules that can never match, given the names
    /// of the registered tools.
    pub fn remarks(&self, tools: &[&str]) -> Vec<String> {
        self.allow
            .iter()
            .chain(&self.deny)
            .filter_map(|rule| match &rule.tool {
                Some(tool) if !tools.contains(&tool.as_str()) => Some(format!(
                    "the rule {:?} speaks of the tool {tool:?}, which is not registered{}",
                    rule.text,
                    crate::suggest::hint(tool, tools.iter().copied())
                )),
                None if tools.contains(&rule.glob.as_str()) => Some(format!(
                    "the rule {:?} is a pattern for paths and other keys, not for a tool; did you mean \"{}:*\"?",
                    rule.text, rule.glob
                )),
                _ => None,
            })
            .collect()
    }

    /// Deny wins over allow, whatever their order.
    pub fn rule(&self, tool: &str, key: &str) -> Ruling<'_> {
        let find = |list: &'_ [Rule]| list.iter().position(|rule| rule.matches(tool, key));
        if let Some(hit) = find(&self.deny) {
            Ruling::Deny(&self.deny[hit])
        } else if let Some(hit) = find(&self.allow) {
            Ruling::Allow(&self.allow[hit])
        } else {
            Ruling::Unmatched
        }
    }

    /// The deny rules that speak of this tool at all.
    pub fn denies_for(&self, tool: &str) -> Vec<Rule> {
        let speaks = |rule: &&Rule| rule.tool.as_deref().is_none_or(|only| only == tool);
        self.deny.iter().filter(speaks).cloned().collect()
    }

    /// The deny rule for this request, if any.
    pub fn denies(&self, tool: &str, key: &str) -> Option<&Rule> {
        self.deny.iter().find(|rule| rule.matches(tool, key))
    }
}

/// Refuses globs that cannot mean anything.
fn check(glob: &str) -> Result<(), &'static str> {
    let mut chars = glob.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' if chars.next().is_none() => return Err("it ends in a backslash"),
            '[' => {
                class(&mut chars).ok_or("its [class] is empty, half open or not closed; write \\[ for the character")?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// One `[…]` after its bracket: whether it is negated, and its ranges.
fn class(chars: &mut std::str::Chars<'_>) -> Option<(bool, Vec<(char, char)>)> {
    let negated = chars.as_str().starts_with('^');
    if negated {
        chars.next();
    }
    let mut ranges = Vec::new();
    let single = |chars: &mut std::str::Chars<'_>| match chars.next()? {
        '\\' => chars.next(),
        '-' | ']' => None,
        char => Some(char),
    };
    loop {
        if chars.as_str().starts_with(']') && !ranges.is_empty() {
            chars.next();
            return Some((negated, ranges));
        }
        let low = single(chars)?;
        let high = if chars.as_str().starts_with('-') {
            chars.next();
            single(chars)?
        } else {
            low
        };
        ranges.push((low, high));
    }
}

/// Both ends anchored. Names are matched one by one, so the work stays within
/// (length of the pattern) × (length of the key).
fn glob_match(glob: &str, key: &str) -> bool {
    let mut keys = key.split('/');
    let mut globs = glob.split('/');
    loop {
        match (globs.next(), keys.next()) {
            (None, None) => return true,
            (Some(glob), Some(name)) if name_match(glob, name) => {}
            _ => return false,
        }
    }
}

fn name_match(glob: &str, name: &str) -> bool {
    let (mut glob, mut name) = (glob.chars(), name.chars());
    // Where to go on after the last `*`, one character further each time.
    let mut retry: Option<(std::str::Chars<'_>, std::str::Chars<'_>)> = None;
    loop {
        let mut next = glob.clone();
        let matched = match next.next() {
            Some('*') => {
                glob = next;
                retry = Some((glob.clone(), name.clone()));
                continue;
            }
            None => {
                if name.as_str().is_empty() {
                    return true;
                }
                false
            }
            Some(pattern) => match name.clone().next() {
                None => false,
                Some(char) => match pattern {
                    '?' => true,
                    '\\' => next.next() == Some(char),
                    '[' => class(&mut next).is_some_and(|(negated, ranges)| {
                        negated != ranges.iter().any(|&(low, high)| (low..=high).contains(&char))
                    }),
                    literal => literal == char,
                },
            },
        };
        if matched {
            glob = next;
            name.next();
        } else {
            let Some((after, from)) = &mut retry else {
                return false;
            };
            if from.next().is_none() {
                return false;
            }
            glob = after.clone();
            name = from.clone();
        }
    }
}
