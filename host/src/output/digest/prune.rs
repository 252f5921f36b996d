//! The structural pruner: any JSON value made shorter by its structure alone.

use super::DigestMeta;
use super::identifier::is_identifier;
use super::json::{Object, array, quote};
use super::level::{Level, read};

/// Characters of a string that are kept; a longer one is replaced, unless it is an identifier.
const MAX_STRING_CHARS: usize = 500;

/// Elements of an array that are kept, if keeping fewer would be shorter.
const MAX_ELEMENTS: usize = 20;

/// Elements kept at each end of a collapsed array.
const KEPT_AT_EACH_END: usize = MAX_ELEMENTS / 2;

/// Depth at which objects and arrays are dropped; the outermost value has depth 0.
const MAX_DEPTH: usize = 8;

/// What stands for a dropped object or array.
const DEEP_SUBTREE: &str = "\"<truncated, deep subtree>\"";

/// A pruned value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// JSON as text, without white space between its tokens. Text that is not JSON is as it was.
    pub text: String,
    /// What was left out.
    pub meta: DigestMeta,
}

/// Prunes a JSON text. Pruning the outcome again changes nothing.
///
/// * A string of more than 500 characters becomes `<truncated, N chars>`, N being its characters. If it begins with
///   `{` or `[` and is JSON, it becomes that value, pruned. Under a key of an identifier it stays.
/// * An array of more than 20 elements becomes `{"_summary":true,"first":[…],"last":[…],"total":n,"dropped":n-20}`
///   with ten elements each, if that is shorter.
/// * An object or array at depth 8 becomes `<truncated, deep subtree>`; the outermost value has depth 0.
/// * Everything else stays, numbers to the last digit (FX-29), keys in their order.
///
/// Text that is not JSON is returned as it is.
pub fn prune(text: &str) -> Pruned {
    value(text, 0, false).unwrap_or_else(|| Pruned {
        text: text.to_owned(),
        meta: DigestMeta::default(),
    })
}

/// Prunes a value at `depth`; `None` if it is not JSON.
pub(super) fn value(text: &str, depth: usize, identifier: bool) -> Option<Pruned> {
    if depth >= MAX_DEPTH && text.starts_with(['{', '[']) {
        return Some(dropped());
    }
    match read(text)? {
        Level::Object(members) => object(&members, depth),
        Level::Array(elements) => elements_or_ends(&elements, depth),
        Level::String(text) => Some(string(&text, depth, identifier)),
        Level::Plain(text) => Some(Pruned {
            text: text.to_owned(),
            meta: DigestMeta::default(),
        }),
    }
}

fn dropped() -> Pruned {
    Pruned {
        text: DEEP_SUBTREE.to_owned(),
        meta: DigestMeta {
            subtrees_dropped: 1,
            ..DigestMeta::default()
        },
    }
}

fn object(members: &[(String, &str)], depth: usize) -> Option<Pruned> {
    let mut object = Object::default();
    let mut meta = DigestMeta::default();
    for (key, member) in members {
        let pruned = value(member, depth + 1, is_identifier(key))?;
        object.json(key, pruned.text);
        meta += pruned.meta;
    }
    Some(Pruned {
        text: object.finish(),
        meta,
    })
}

fn elements_or_ends(elements: &[&str], depth: usize) -> Option<Pruned> {
    let pruned = elements
        .iter()
        .map(|element| value(element, depth + 1, false))
        .collect::<Option<Vec<_>>>()?;
    let all = list(&pruned);
    if pruned.len() <= MAX_ELEMENTS {
        return Some(all);
    }
    let collapsed = ends(&pruned, depth)?;
    Some(if collapsed.text.len() < all.text.len() {
        collapsed
    } else {
        all
    })
}

/// Both ends of an array. Its elements come to lie one level deeper than they were, so they are pruned again for
/// that depth. To start from what was already pruned matters: the array that is kept whole because its ends are no
/// shorter then meets the same comparison when it is pruned again.
fn ends(pruned: &[Pruned], depth: usize) -> Option<Pruned> {
    let end = |elements: &[Pruned]| {
        if depth + 1 >= MAX_DEPTH {
            return Some(dropped());
        }
        let deeper = elements
            .iter()
            .map(|element| {
                let mut deeper = value(&element.text, depth + 2, false)?;
                deeper.meta += element.meta;
                Some(deeper)
            })
            .collect::<Option<Vec<_>>>()?;
        Some(list(&deeper))
    };
    let first = end(&pruned[..KEPT_AT_EACH_END])?;
    let last = end(&pruned[pruned.len() - KEPT_AT_EACH_END..])?;
    let mut object = Object::default();
    object
        .flag("_summary", true)
        .json("first", &first.text)
        .json("last", &last.text)
        .count("total", pruned.len())
        .count("dropped", pruned.len() - MAX_ELEMENTS);
    let mut meta = DigestMeta {
        arrays_collapsed: 1,
        ..DigestMeta::default()
    };
    meta += first.meta;
    meta += last.meta;
    Some(Pruned {
        text: object.finish(),
        meta,
    })
}

fn list(elements: &[Pruned]) -> Pruned {
    let mut meta = DigestMeta::default();
    for element in elements {
        meta += element.meta;
    }
    Pruned {
        text: array(elements.iter().map(|element| &element.text)),
        meta,
    }
}

fn string(text: &str, depth: usize, identifier: bool) -> Pruned {
    // As many bytes are at least as many characters.
    let chars = if text.len() > MAX_STRING_CHARS {
        text.chars().count()
    } else {
        0
    };
    if identifier || chars <= MAX_STRING_CHARS {
        return Pruned {
            text: quote(text),
            meta: DigestMeta::default(),
        };
    }
    // At the last depth the value would only become the marker of a dropped one, which tells less than its length.
    if depth < MAX_DEPTH
        && text.starts_with(['{', '['])
        && let Some(mut nested) = value(text, depth, false)
    {
        nested.meta.nested_json_expanded += 1;
        return nested;
    }
    Pruned {
        text: quote(&format!("<truncated, {chars} chars>")),
        meta: DigestMeta {
            strings_truncated: 1,
            ..DigestMeta::default()
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `value` inside `depth` objects.
    fn at(depth: usize, value: &str) -> String {
        format!("{}{value}{}", r#"{"k":"#.repeat(depth), "}".repeat(depth))
    }

    fn numbers(count: usize) -> String {
        array((0..count).map(|number| (1_000_000_000 + number).to_string()))
    }

    #[test]
    fn an_array_collapses_only_to_something_shorter() {
        let pruned = prune(&numbers(200));
        assert!(pruned.text.starts_with(r#"{"_summary":true,"first":[1000000000,"#));
        assert!(pruned.text.ends_with(r#"1000000199],"total":200,"dropped":180}"#));
        assert_eq!(pruned.meta.arrays_collapsed, 1);
        assert_eq!(prune(&numbers(21)).text, numbers(21));
        assert_eq!(prune(&numbers(20)).text, numbers(20));
    }

    #[test]
    fn ends_that_would_lie_too_deep_are_dropped() {
        let pruned = prune(&at(7, &numbers(200)));
        let ends = r#"{"_summary":true,"first":"<truncated, deep subtree>","last":"<truncated, deep subtree>","total":200,"dropped":180}"#;
        assert_eq!(pruned.text, at(7, ends));
        assert_eq!(pruned.meta.subtrees_dropped, 2);
        assert_eq!(prune(&pruned.text).text, pruned.text);
    }

    #[test]
    fn elements_are_pruned_for_the_depth_they_get() {
        for depth in 4..8 {
            let element = at(8, "1");
            let pruned = prune(&at(depth, &array(vec![element; 100])));
            assert_eq!(prune(&pruned.text).text, pruned.text, "{depth}");
        }
    }

    #[test]
    fn json_in_a_string_is_expanded_where_it_fits() {
        let nested = quote(&format!(r#"{{"a":{}}}"#, numbers(60)));
        assert_eq!(prune(&at(7, &nested)).meta.nested_json_expanded, 1);
        let deeper = prune(&at(8, &nested)).meta;
        assert_eq!((deeper.nested_json_expanded, deeper.strings_truncated), (0, 1));
        let unsuited = quote(&format!("[{}", "x".repeat(600)));
        assert_eq!(prune(&unsuited).text, r#""<truncated, 601 chars>""#);
    }

    #[test]
    fn text_that_is_not_json_stays() {
        for text in ["", "nope", "{\"a\":", "[1] [2]", "{\"\\ud800\":1}"] {
            assert_eq!(prune(text).text, text);
        }
    }
}
