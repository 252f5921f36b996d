//! Rules about several arguments at once.

use serde_json::Value;

use super::arguments::Arguments;
use super::definition::Rule;

/// The first rule that the arguments break, in words.
pub(super) fn broken(rules: &[Rule], arguments: &Arguments) -> Option<String> {
    rules.iter().find_map(|rule| check(rule, arguments).err())
}

fn check(rule: &Rule, arguments: &Arguments) -> Result<(), String> {
    let given = |names: &[String]| {
        let given = names.iter().filter(|name| is_given(arguments, name));
        given.map(|name| format!("`{name}`")).collect::<Vec<_>>()
    };
    match rule {
        Rule::ExactlyOne(names) => match given(names).as_slice() {
            [_] => Ok(()),
            [] => Err(format!("give exactly one of {}; none is given", list(names))),
            several => Err(format!(
                "give exactly one of {}; {} are given",
                list(names),
                several.join(" and ")
            )),
        },
        Rule::AtLeastOne(names) if given(names).is_empty() => {
            Err(format!("give at least one of {}; none is given", list(names)))
        }
        Rule::AtMostOne(names) => match given(names).as_slice() {
            [] | [_] => Ok(()),
            several => Err(format!(
                "give at most one of {}; {} are given",
                list(names),
                several.join(" and ")
            )),
        },
        Rule::Distinct(one, other) if is_given(arguments, one) && arguments.get(one) == arguments.get(other) => Err(
            format!("`{one}` and `{other}` are identical, so the call would change nothing"),
        ),
        Rule::AtLeastOne(_) | Rule::Distinct(..) => Ok(()),
    }
}

/// `null` stands for an argument that is left out, where the schema admits it.
fn is_given(arguments: &Arguments, name: &str) -> bool {
    arguments.get(name).is_some_and(|value| *value != Value::Null)
}

fn list(names: &[String]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn broken_by(rule: Rule, arguments: Value) -> Option<String> {
        broken(&[rule], arguments.as_object().unwrap())
    }

    #[test]
    fn each_rule_says_what_was_given() {
        let names = || vec!["path".to_owned(), "data".to_owned()];
        let cases = [
            (Rule::ExactlyOne(names()), json!({}), Some("none is given")),
            (Rule::ExactlyOne(names()), json!({"path": null}), Some("none is given")),
            (Rule::ExactlyOne(names()), json!({"path": ""}), None),
            (
                Rule::ExactlyOne(names()),
                json!({"path": "a", "data": "b"}),
                Some("`path` and `data` are given"),
            ),
            (
                Rule::AtLeastOne(names()),
                json!({"x": 1}),
                Some("at least one of `path`, `data`"),
            ),
            (Rule::AtLeastOne(names()), json!({"path": 1, "data": 1}), None),
            (
                Rule::AtMostOne(names()),
                json!({"path": 1, "data": 1}),
                Some("at most one"),
            ),
            (Rule::AtMostOne(names()), json!({}), None),
            (
                Rule::Distinct("a".into(), "b".into()),
                json!({"a": "x", "b": "x"}),
                Some("identical"),
            ),
            (
                Rule::Distinct("a".into(), "b".into()),
                json!({"a": "x", "b": "y"}),
                None,
            ),
            (Rule::Distinct("a".into(), "b".into()), json!({}), None),
        ];
        for (rule, arguments, expected) in cases {
            let text = broken_by(rule.clone(), arguments.clone());
            match expected {
                Some(part) => assert!(
                    text.as_deref().is_some_and(|text| text.contains(part)),
                    "{rule:?} {arguments}: {text:?}"
                ),
                None => assert_eq!(text, None, "{rule:?} {arguments}"),
            }
        }
    }
}
