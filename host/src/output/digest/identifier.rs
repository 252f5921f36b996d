//! Which keys hold identifiers: values to be used in a next call, which are of no use shortened.

/// Keys that are identifiers as they are.
const KEYS: &[&str] = &[
    "id",
    "name",
    "status",
    "kind",
    "type",
    "error",
    "code",
    "apiversion",
    "namespace",
    "uid",
    "resourceversion",
];

/// Words that make every key an identifier in which they stand.
const WORDS: &[&str] = &["url", "uri", "path", "href", "link"];

/// Whether a string under `key` is an identifier. Upper and lower case are alike, except that an upper case letter
/// begins a word: `fileUrl` has the word `url`, `security` does not have the word `uri` (FX-31).
pub(super) fn is_identifier(key: &str) -> bool {
    let lower = key.to_lowercase();
    KEYS.contains(&lower.as_str())
        || lower.ends_with("_id")
        || words(key).iter().any(|word| WORDS.contains(&word.as_str()))
}

/// The words of a key in lower case: separated by anything but letters and digits, or by case (`aWord`, `URLPath`).
fn words(key: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = None;
    let mut chars = key.chars().peekable();
    while let Some(c) = chars.next() {
        let begins = c.is_uppercase()
            && before.is_some_and(|before: char| {
                !before.is_uppercase() || chars.peek().is_some_and(|after| after.is_lowercase())
            });
        if begins || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        before = Some(c);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_whole_words() {
        for key in [
            "id",
            "ID",
            "Status",
            "pod_id",
            "POD_ID",
            "apiVersion",
            "resourceVersion",
            "path",
            "filePath",
            "file_path",
            "file-path",
            "URL",
            "baseURL",
            "URLPath",
            "htmlUrl",
            "self.href",
            "symlink_path",
            "link",
        ] {
            assert!(is_identifier(key), "{key}");
        }
        for key in [
            "",
            "names",
            "podId",
            "error_code",
            "security",
            "during",
            "blink",
            "curly",
            "pathology",
            "urls",
            "symlink",
            "text",
            "content",
            "path2",
            "_",
        ] {
            assert!(!is_identifier(key), "{key}");
        }
    }
}
