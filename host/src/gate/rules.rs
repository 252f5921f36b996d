//! Allow and deny rules: `tool:glob`, `glob`, `tool.name`, `tool.name:glob`.

use regex::{Regex, RegexBuilder};

use super::shell;

/// A rule that does not parse.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the rule {rule:?} cannot be used: {reason}")]
pub struct RuleError {
    /// The rule as written.
    pub rule: String,
    /// What is wrong with it.
    pub reason: String,
}

/// Which list a rule stands in: it decides how far `*` reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    /// `*` stops at `/`, so that an allow rule is never wider than it looks.
    Allow,
    /// `*` crosses `/`, so that a deny rule is never narrower than it looks.
    Deny,
}

/// One parsed rule.
#[derive(Debug, Clone)]
pub struct Rule {
    text: String,
    /// Any tool if absent.
    tool: Option<String>,
    /// The glob as written.
    glob: KeyGlob,
    /// The same below the project, for globs that read as relative paths: what
    /// such keys begin with, and the glob for the rest.
    anchored: Option<(String, KeyGlob)>,
    /// The command that it is about, instead of the glob: `tool.bash.cmd:NAME`.
    command: Option<String>,
}

/// A glob over keys: equal, a literal prefix and one final `*`, or a pattern.
#[derive(Debug, Clone)]
struct KeyGlob {
    text: String,
    /// The only key that it matches, if it has no wildcard.
    literal: Option<String>,
    regex: Option<Regex>,
}

impl KeyGlob {
    fn parse(text: &str, side: Side) -> Result<Self, String> {
        let translated = translate(text, side)?;
        let is_prefix = text.strip_suffix('*').is_some_and(|prefix| !prefix.contains(WILD));
        let literal = literal_text(text);
        let regex = if is_prefix || literal.is_some() {
            None
        } else {
            let regex = RegexBuilder::new(&format!("^(?:{translated})$"))
                .dot_matches_new_line(true)
                .size_limit(1 << 20)
                .build();
            Some(regex.map_err(|error| error.to_string())?)
        };
        Ok(Self {
            text: text.to_owned(),
            literal,
            regex,
        })
    }

    fn matches(&self, key: &str) -> bool {
        if let Some(literal) = &self.literal {
            return literal == key;
        }
        match (&self.regex, self.text.strip_suffix('*')) {
            _ if self.text == key => true,
            (Some(regex), _) => regex.is_match(key),
            (None, Some(prefix)) => key.starts_with(prefix),
            (None, None) => false,
        }
    }
}

impl Rule {
    /// Parses one rule. The text is split at the first colon: tool on the
    /// left (`*` or nothing for any), glob over the key on the right. Without
    /// a colon it is a glob for any tool, except that `tool.NAME` means the
    /// whole tool NAME. Relative paths are taken below `project`.
    fn parse(text: &str, side: Side, project: &str) -> Result<Self, RuleError> {
        let fail = |reason: String| RuleError {
            rule: text.to_owned(),
            reason,
        };
        if text.trim().is_empty() {
            return Err(fail("it is empty".to_owned()));
        }
        let command = text.strip_prefix(COMMAND).map(|name| name.trim().to_owned());
        let (tool, glob) = match text.split_once(':') {
            Some((_, name)) if command.is_some() => (Some(SHELL_TOOL), name),
            Some(("" | "*", glob)) => (None, glob),
            Some((tool, glob)) => (Some(tool.strip_prefix("tool.").unwrap_or(tool)), glob),
            None => match text.strip_prefix("tool.") {
                Some(tool) => (Some(tool), "*"),
                None => (None, text),
            },
        };
        if command.as_deref() == Some("") {
            return Err(fail(format!("it names no command; write {COMMAND}NAME")));
        }
        if glob.is_empty() {
            return Err(fail(
                "it has no pattern after the colon; write * for every key".to_owned(),
            ));
        }
        let relative = !glob.starts_with(['/', '~', '*', '[', '?']);
        let below = glob.strip_prefix("./").unwrap_or(glob);
        // The project may be `/` itself.
        let folder = format!("{}/", project.trim_end_matches('/'));
        Ok(Self {
            text: text.to_owned(),
            tool: tool.map(str::to_owned),
            glob: KeyGlob::parse(glob, side).map_err(fail)?,
            anchored: relative
                .then(|| KeyGlob::parse(below, side).map(|glob| (folder, glob)))
                .transpose()
                .map_err(fail)?,
            command,
        })
    }

    /// The rule as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a rule to allow covers this request. A shell command has to be
    /// the very text of the rule, or one plain command that only reads: the
    /// beginning of a command line says nothing of the rest.
    fn allows(&self, tool: &str, key: &str) -> bool {
        if tool != SHELL_TOOL {
            return self.matches(tool, key);
        }
        match &self.command {
            Some(name) => shell::covers(name, key),
            None => {
                self.matches(tool, key)
                    && (self.glob.literal.is_some() || self.glob.text == key || shell::is_safe(key).is_ok())
            }
        }
    }

    /// Whether it speaks of this tool and key, as a rule to deny does.
    pub fn matches(&self, tool: &str, key: &str) -> bool {
        if let Some(name) = &self.command {
            return tool == SHELL_TOOL && shell::runs(key, name);
        }
        let below =
            |(folder, glob): &(String, KeyGlob)| key.strip_prefix(&**folder).is_some_and(|rest| glob.matches(rest));
        self.tool.as_deref().is_none_or(|only| only == tool)
            && (self.glob.matches(key) || self.anchored.as_ref().is_some_and(below))
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
    /// Parses both lists; relative paths are taken below `project`.
    ///
    /// # Errors
    /// The first rule that does not parse.
    pub fn parse(allow: &[String], deny: &[String], project: &str) -> Result<Self, RuleError> {
        let parse = |list: &[String], side| {
            list.iter()
                .map(|text| Rule::parse(text, side, project))
                .collect::<Result<Vec<_>, _>>()
        };
        Ok(Self {
            allow: parse(allow, Side::Allow)?,
            deny: parse(deny, Side::Deny)?,
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
                None if tools.contains(&rule.glob.text.as_str()) => Some(format!(
                    "the rule {:?} is a pattern for paths and other keys, not for a tool; did you mean \"{}:*\"?",
                    rule.text, rule.glob.text
                )),
                _ => None,
            })
            .collect()
    }

    /// Deny wins over allow, whatever their order.
    pub fn rule(&self, tool: &str, key: &str) -> Ruling<'_> {
        if let Some(rule) = self.denies(tool, key) {
            Ruling::Deny(rule)
        } else if let Some(rule) = self.allow.iter().find(|rule| rule.allows(tool, key)) {
            Ruling::Allow(rule)
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

/// The tool that runs shell commands.
const SHELL_TOOL: &str = "bash";

/// How a rule about one command begins.
const COMMAND: &str = "tool.bash.cmd:";

/// The text that a glob without wildcards stands for, its escapes resolved.
fn literal_text(glob: &str) -> Option<String> {
    let mut text = String::new();
    let mut chars = glob.chars();
    while let Some(char) = chars.next() {
        match char {
            '*' | '?' | '[' => return None,
            '\\' => text.push(chars.next()?),
            char => text.push(char),
        }
    }
    Some(text)
}

/// The characters that make a text a glob.
const WILD: [char; 4] = ['*', '?', '[', '\\'];

/// The glob as a regular expression: `?` is one character other than `/`,
/// `[a-z]` and `[^a-z]` one character of a class, `\x` the character x, `**`
/// crosses `/` and so does `*` in a deny rule. There are no braces and no `[!…]`.
fn translate(glob: &str, side: Side) -> Result<String, String> {
    let mut out = String::new();
    let mut chars = glob.chars().peekable();
    let mut name_start = true;
    while let Some(char) = chars.next() {
        match char {
            '*' if chars.next_if_eq(&'*').is_some() => {
                if name_start && chars.next_if_eq(&'/').is_some() {
                    out.push_str("(?:.*/)?");
                    continue;
                }
                out.push_str(".*");
            }
            '*' if side == Side::Deny => out.push_str(".*"),
            '*' => out.push_str("[^/]*"),
            '?' => out.push_str("[^/]"),
            '[' => out.push_str(&class(&mut chars)?),
            '\\' => literal(&mut out, chars.next().ok_or("it ends in a backslash")?),
            char => literal(&mut out, char),
        }
        name_start = char == '/';
    }
    Ok(out)
}

fn literal(out: &mut String, char: char) {
    out.push_str(&regex::escape(char.encode_utf8(&mut [0; 4])));
}

/// One `[…]` after its bracket.
fn class(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<String, String> {
    const BAD: &str = "its [class] is empty, half open or not closed; write \\[ for the character";
    let negated = chars.next_if_eq(&'^').is_some();
    let mut ranges = String::new();
    let single = |chars: &mut std::iter::Peekable<std::str::Chars<'_>>| match chars.next().ok_or(BAD)? {
        '\\' => chars.next().ok_or(BAD),
        '-' | ']' => Err(BAD),
        char => Ok(char),
    };
    loop {
        if !ranges.is_empty() && chars.next_if_eq(&']').is_some() {
            break;
        }
        let low = single(chars)?;
        let high = if chars.next_if_eq(&'-').is_some() {
            single(chars)?
        } else {
            low
        };
        if low > high {
            return Err(BAD.to_owned());
        }
        ranges.push_str(&format!("\\x{{{:x}}}-\\x{{{:x}}}", u32::from(low), u32::from(high)));
    }
    Ok(if negated {
        format!("[^{ranges}]")
    } else {
        format!("[{ranges}]")
    })
}
