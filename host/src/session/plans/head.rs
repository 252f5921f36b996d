//! The content of a plan file: a YAML block that says whose plan it is, and the plan.

use super::author::Author;
use super::{PLAN_BYTES, PlanError};

/// The plan as it is stored: trimmed, with one line end.
///
/// # Errors
/// It is blank or too long.
pub(super) fn body(plan: &str) -> Result<String, PlanError> {
    match plan.trim() {
        "" => Err(PlanError::Empty),
        plan if plan.len() > PLAN_BYTES => Err(PlanError::TooLong(plan.len())),
        plan => Ok(format!("{plan}\n")),
    }
}

/// The whole file. Text in double quotes with the escapes of JSON is YAML.
pub(super) fn content(number: u64, author: &Author, body: &str) -> String {
    let mut text = format!("---\nplan: {number}\n");
    for (key, value) in [("agent", &author.agent), ("session", &author.session)] {
        if let Some(value) = value {
            text += &format!("{key}: {}\n", serde_json::Value::from(value.as_str()));
        }
    }
    text += "---\n\n";
    text += body;
    text
}

/// Whose plan a file is, by its beginning. What is not such a block says nothing.
pub(super) fn author(content: &str) -> Author {
    let mut author = Author::default();
    let Some(rest) = content.strip_prefix("---\n") else {
        return author;
    };
    let Some(end) = rest.find("\n---") else {
        return author;
    };
    for line in rest[..end].lines() {
        let Some((key, value)) = line.split_once(':') else {
            continue;
        };
        let field = match key.trim() {
            "agent" => &mut author.agent,
            "session" => &mut author.session,
            _ => continue,
        };
        let value = value.trim();
        let value = serde_json::from_str(value).unwrap_or_else(|_| value.to_owned());
        *field = Some(value).filter(|value| !value.is_empty());
    }
    author
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(agent: Option<&str>, session: Option<&str>) -> Author {
        Author {
            agent: agent.map(str::to_owned),
            session: session.map(str::to_owned),
        }
    }

    #[test]
    fn a_file_reads_as_it_was_written() {
        let full = of(Some("core_agent"), Some("s-1"));
        assert_eq!(
            content(3, &full, "do it\n"),
            "---\nplan: 3\nagent: \"core_agent\"\nsession: \"s-1\"\n---\n\ndo it\n"
        );
        assert_eq!(content(1, &Author::default(), "x\n"), "---\nplan: 1\n---\n\nx\n");
        for name in [
            "a: b",
            "\"quoted\"",
            "back\\slash",
            "line\nend\n---\n",
            "é𝄞\u{7}\u{2028}",
            "---",
            "#",
            " x ",
        ] {
            for author in [of(Some(name), None), of(None, Some(name)), of(Some(name), Some(name))] {
                assert_eq!(
                    super::author(&content(1, &author, "x\n---\nagent: \"other\"\n")),
                    author,
                    "{name:?}"
                );
            }
        }
    }

    #[test]
    fn what_is_no_block_says_nothing() {
        for text in [
            "",
            "agent: \"a\"\n",
            "---\nagent: \"a\"\n",
            "---\r\nagent: \"a\"\r\n---\r\n",
            "--- \nagent: a\n---\n",
            "---\nplan: 1\n---\nagent: \"a\"\n",
            "---\nagent\nagent:\n---\n",
            "\n---\nagent: a\n---\n",
        ] {
            assert!(author(text).is_unknown(), "{text:?}");
        }
        assert_eq!(author("---\nagent: a\n---"), of(Some("a"), None));
        assert_eq!(
            author("---\nsession: \"broken\\q\"\n---\n"),
            of(None, Some("\"broken\\q\""))
        );
    }

    #[test]
    fn a_body_ends_with_one_line_end() {
        for text in ["A", "  A \n\n", "\u{a0}A\u{3000}\r\n", "A\n"] {
            assert_eq!(body(text).as_deref(), Ok("A\n"));
        }
        for text in ["", "   \t", "\n\u{2003}\r\n"] {
            assert_eq!(body(text), Err(PlanError::Empty));
        }
        assert!(body(&" x".repeat(PLAN_BYTES / 2)).is_ok());
        assert_eq!(
            body(&"x".repeat(PLAN_BYTES + 1)),
            Err(PlanError::TooLong(PLAN_BYTES + 1))
        );
    }
}
