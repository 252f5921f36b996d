//! What the operator types.

use toolgate::Decision;
use toolgate::gate::Choice;

/// Shows more of what does not fit on the screen.
const MORE: char = 'm';

/// What a line means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Key {
    Decision(Decision),
    More,
    Unclear,
}

/// The key of a decision.
pub(in crate::cli) const fn key(decision: Decision) -> char {
    match decision {
        Decision::Deny => 'n',
        Decision::Once => 'y',
        Decision::Session => 's',
        Decision::SessionVerb => 'v',
        Decision::SessionTool => 't',
        Decision::Always => 'a',
        Decision::AlwaysDirectory => 'd',
    }
}

/// A decision by its key, its word or its full name.
///
/// # Errors
/// Names the decisions and their keys.
pub(in crate::cli) fn parse(text: &str) -> Result<Decision, String> {
    let word = |decision| match decision {
        Decision::Deny => "no",
        Decision::Once => "yes",
        Decision::Session => "session",
        Decision::SessionVerb => "verb",
        Decision::SessionTool => "tool",
        Decision::Always => "always",
        Decision::AlwaysDirectory => "directory",
    };
    let text = text.trim().to_ascii_lowercase();
    let short = Decision::ALL
        .into_iter()
        .find(|decision| text == word(*decision) || text.chars().eq([key(*decision)]));
    short.map_or_else(
        || {
            text.parse().map_err(|error| {
                let keys: Vec<String> = Decision::ALL
                    .map(|decision| format!("{} = {decision}", key(decision)))
                    .into();
                format!("{error} (in short: {})", keys.join(", "))
            })
        },
        Ok,
    )
}

/// What a line means for a question with these choices.
pub(super) fn read(line: &str, choices: &[Choice]) -> Key {
    let line = line.trim();
    if line.is_empty() {
        return Key::Decision(Decision::Deny);
    }
    if line.eq_ignore_ascii_case("m") || line.eq_ignore_ascii_case("more") {
        return Key::More;
    }
    let offered = |decision: &Decision| choices.iter().any(|choice| choice.decision == *decision);
    parse(line).ok().filter(offered).map_or(Key::Unclear, Key::Decision)
}

/// The keys of a question; denying comes last.
pub(super) fn all(choices: &[Choice], more: bool) -> Vec<char> {
    let decisions = choices.iter().map(|choice| choice.decision);
    let allowing = decisions.filter(|decision| *decision != Decision::Deny).map(key);
    allowing
        .chain(more.then_some(MORE))
        .chain([key(Decision::Deny)])
        .collect()
}

/// `y/s/N`: the capital one is what an empty line means.
pub(super) fn inline(keys: &[char]) -> String {
    let deny = key(Decision::Deny);
    let shown = keys
        .iter()
        .map(|key| if *key == deny { key.to_ascii_uppercase() } else { *key });
    shown.map(String::from).collect::<Vec<_>>().join("/")
}

/// `y, s or n`.
pub(super) fn in_words(keys: &[char]) -> String {
    match keys {
        [most @ .., last] if !most.is_empty() => {
            let most: Vec<String> = most.iter().map(char::to_string).collect();
            format!("{} or {last}", most.join(", "))
        }
        _ => keys.iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(decisions: &[Decision]) -> Vec<Choice> {
        let choice = |decision: &Decision| Choice {
            decision: *decision,
            covers: String::new(),
        };
        decisions.iter().map(choice).collect()
    }

    #[test]
    fn only_clear_answers_count() {
        let all = choices(&Decision::ALL);
        for (line, decision) in [
            ("y\n", Decision::Once),
            (" S \n", Decision::Session),
            ("v\n", Decision::SessionVerb),
            ("tool", Decision::SessionTool),
            ("Always\n", Decision::Always),
            ("d", Decision::AlwaysDirectory),
            ("allow-once\n", Decision::Once),
            ("\n", Decision::Deny),
            ("n\n", Decision::Deny),
        ] {
            assert_eq!(read(line, &all), Key::Decision(decision), "{line:?}");
        }
        assert_eq!(read("m\n", &all), Key::More);
        for unclear in ["ok", "yy", "y y", "\u{1b}[A", "sure", "allow"] {
            assert_eq!(read(unclear, &all), Key::Unclear, "{unclear:?}");
        }
    }

    #[test]
    fn what_is_not_offered_is_no_answer() {
        let few = choices(&[Decision::Deny, Decision::Once]);
        for line in ["s", "v", "t", "a", "d", "allow-always"] {
            assert_eq!(read(line, &few), Key::Unclear, "{line}");
        }
        assert_eq!(inline(&all(&few, false)), "y/N");
        assert_eq!(inline(&all(&few, true)), "y/m/N");
        assert_eq!(in_words(&all(&choices(&Decision::ALL), false)), "y, s, v, t, a, d or n");
    }

    #[test]
    fn an_unknown_decision_names_all() {
        let error = parse("alow-once").unwrap_err();
        for part in [
            "alow-once",
            "did you mean \"allow-once\"",
            "allow-always-directory",
            "v = allow-session-verb",
        ] {
            assert!(error.contains(part), "{part}: {error}");
        }
    }
}
