//! Texts for people: cut to a length, in one line, and without mentions that would call somebody (A10).

use serde_json::Value;

/// Invisible, and enough to keep `@` and `<` apart from the name that follows.
const ZERO_WIDTH_SPACE: char = '\u{200b}';

/// Words that call everybody, even where they follow a letter.
const BROADCASTS: [&str; 3] = ["everyone", "here", "channel"];

/// A value as people read it: a text as it is, anything else as compact JSON.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The text with a space for each line break.
pub(super) fn one_line(text: &str) -> String {
    text.replace("\r\n", " ").replace(['\n', '\r'], " ")
}

/// At most `limit` characters; what is longer ends in an ellipsis.
pub(super) fn cut(mut text: String, limit: usize) -> String {
    if text.chars().nth(limit).is_some() {
        let kept = text.chars().take(limit - 1).map(char::len_utf8).sum();
        text.truncate(kept);
        text.push('…');
    }
    text
}

/// At most `limit` characters of an [`escaped`] text, without a part of an entity at the end.
pub(super) fn cut_escaped(text: String, limit: usize) -> String {
    let mut text = cut(text, limit);
    if let Some(start) = text.rfind('&')
        && !text[start..].contains(';')
    {
        text.truncate(start);
        text.push('…');
    }
    text
}

/// The text with an invisible space in what could be a mention: `@name`, `<@id>`, `<!word>`, `<#id>`,
/// `<users/id>`. Addresses such as `ops@example.com` stay as they are.
pub(super) fn inert(text: &str) -> String {
    rewritten(text, |out, previous, char, rest| {
        out.push(char);
        let mentions = match char {
            '@' => is_mention(previous, rest),
            '<' => rest.starts_with(['!', '#', '&']) || starts_with(rest, "users/"),
            _ => false,
        };
        if mentions {
            out.push(ZERO_WIDTH_SPACE);
        }
    })
}

/// The text for Slack, where `&`, `<` and `>` are written as entities, which keeps `<!channel>` and
/// `<@U1>` from being mentions; names after a bare `@` are kept apart from it.
pub(super) fn escaped(text: &str) -> String {
    rewritten(text, |out, previous, char, rest| match char {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '@' if is_mention(previous, rest) && (previous != Some('<') || is_broadcast(rest)) => {
            out.extend(['@', ZERO_WIDTH_SPACE]);
        }
        _ => out.push(char),
    })
}

/// Gives `write` each character with the one before it and the text after it.
fn rewritten(text: &str, write: impl Fn(&mut String, Option<char>, char, &str)) -> String {
    let mut out = String::with_capacity(text.len());
    let mut previous = None;
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        write(&mut out, previous, char, chars.as_str());
        previous = Some(char);
    }
    out
}

/// Whether an `@` between these two calls somebody in one chat or another.
fn is_mention(previous: Option<char>, rest: &str) -> bool {
    let in_a_word = previous.is_some_and(char::is_alphanumeric);
    let names = rest.starts_with(|next: char| next.is_alphanumeric() || matches!(next, '!' | '&' | '_'));
    (names && !in_a_word) || is_broadcast(rest)
}

fn is_broadcast(rest: &str) -> bool {
    BROADCASTS.iter().any(|word| starts_with(rest, word))
}

/// In any case of its ASCII letters.
fn starts_with(text: &str, start: &str) -> bool {
    let head = text.as_bytes().get(..start.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_count_characters() {
        let cases = [
            ("", 3, ""),
            ("abc", 3, "abc"),
            ("abcd", 3, "ab…"),
            ("ééé", 3, "ééé"),
            ("éééé", 3, "éé…"),
            ("ab", 1, "…"),
        ];
        for (text, limit, expected) in cases {
            assert_eq!(cut(text.to_owned(), limit), expected, "{text:?}");
        }
    }

    #[test]
    fn no_part_of_an_entity_is_kept() {
        let text = escaped("ab<cd");
        assert_eq!(text, "ab&lt;cd");
        let cuts = ["…", "a…", "ab…", "ab…", "ab…", "ab…", "ab&lt;…", "ab&lt;cd"];
        for (limit, expected) in (1..).zip(cuts) {
            assert_eq!(cut_escaped(text.clone(), limit), expected, "{limit}");
        }
        assert_eq!(cut_escaped(escaped("a;<b>"), 9), "a;&lt;b…");
        assert_eq!(cut_escaped(escaped("ab<"), 4), "ab…");
        assert_eq!(cut_escaped(escaped("&&&"), 11), "&amp;&amp;…");
    }

    #[test]
    fn line_breaks_become_spaces() {
        assert_eq!(one_line("a\nb\r\nc\rd\n\ne\tf"), "a b c d  e\tf");
    }

    #[test]
    fn mentions_are_kept_apart() {
        // An underline stands for the invisible space; (text, elsewhere, Slack).
        let cases = [
            ("@here now", "@_here now", "@_here now"),
            ("tell @Channel.", "tell @_Channel.", "tell @_Channel."),
            ("x@everyone", "x@_everyone", "x@_everyone"),
            ("@anna, @-b @ c", "@_anna, @-b @ c", "@_anna, @-b @ c"),
            ("ops@example.com", "ops@example.com", "ops@example.com"),
            (
                "<@U1> <@!1> <@&1>",
                "<@_U1> <@_!1> <@_&1>",
                "&lt;@U1&gt; &lt;@!1&gt; &lt;@&amp;1&gt;",
            ),
            ("<@everyone>", "<@_everyone>", "&lt;@_everyone&gt;"),
            ("<!channel> <#C1>", "<_!channel> <_#C1>", "&lt;!channel&gt; &lt;#C1&gt;"),
            (
                "<!subteam^S1> <Users/all>",
                "<_!subteam^S1> <_Users/all>",
                "&lt;!subteam^S1&gt; &lt;Users/all&gt;",
            ),
            (
                "a < b > c & <none> @",
                "a < b > c & <none> @",
                "a &lt; b &gt; c &amp; &lt;none&gt; @",
            ),
            ("@é", "@_é", "@_é"),
        ];
        for (text, elsewhere, slack) in cases {
            let shown = |text: String| text.replace(ZERO_WIDTH_SPACE, "_");
            assert_eq!(shown(inert(text)), elsewhere, "{text}");
            assert_eq!(shown(escaped(text)), slack, "{text}");
            assert_eq!(inert(&inert(text)), inert(text), "{text}");
        }
    }
}
