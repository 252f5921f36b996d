//! The words of the description, which follow the channels that the operator set up.

const BASE: &str = "Alert people or systems outside this session through a target that the operator set up. `target` names \
                    it: there is no URL parameter, and addresses and credentials are never visible here. `level` is info, \
                    warning, critical, or resolved once what an earlier alert told of is over. `summary` says in one line \
                    what happened; `details` are facts by name. A target shortens what is longer than it can show and says \
                    how many details it left out; a message has at most 64 KiB. A target that opens incidents uses the \
                    details `source` and `dedup_key`, and needs `dedup_key` for resolved. A result means that the target \
                    accepted the alert, not that anybody has read it. The alert is sent once and the host does not retry: \
                    after a failure, repeat the call if the alert still matters.";

/// The description where alerts can go to these channels, given as name and what is said of them.
pub(crate) fn description<'a>(channels: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let lines: Vec<_> = channels.map(|(name, text)| line(name, text)).collect();
    if lines.is_empty() {
        BASE.to_owned()
    } else {
        format!("{BASE} The targets:\n{}", lines.join("\n"))
    }
}

/// One line even if the operator's text has several, so that no part of it looks like another target.
fn line(name: &str, text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    if words.is_empty() {
        name.to_owned()
    } else {
        format!("{name}: {}", words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_lines_in_the_given_order() {
        let channels = [
            ("page", "a human,\n now"),
            ("chat", ""),
            ("audit", " \n"),
            ("ops", "ops: the channel"),
        ];
        let text = description(channels.into_iter());
        let (base, list) = text.split_once(" The targets:\n").unwrap();
        assert_eq!(base, BASE);
        assert_eq!(list, "page: a human, now\nchat\naudit\nops: ops: the channel");
    }

    #[test]
    fn without_targets_no_list_is_announced() {
        assert_eq!(description([].into_iter()), BASE);
    }

    #[test]
    fn the_base_says_what_callers_must_know() {
        for part in [
            "no URL parameter",
            "does not retry",
            "repeat the call",
            "info, warning, critical, or resolved",
            "needs `dedup_key` for resolved",
            "64 KiB",
        ] {
            assert!(BASE.contains(part), "{part}: {BASE}");
        }
        assert!(!BASE.contains("  ") && !BASE.contains('\n'), "{BASE:?}");
    }
}
