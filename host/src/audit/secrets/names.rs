//! Which names stand for secrets.

/// Words that make a name a secret's name.
const WORDS: &[&str] = &[
    "auth",
    "authentication",
    "authorization",
    "bearer",
    "cookie",
    "cookies",
    "credential",
    "credentials",
    "creds",
    "jwt",
    "otp",
    "pass",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "passwords",
    "pw",
    "pwd",
    "secret",
    "secrets",
    "sig",
    "signature",
    "token",
    "tokens",
];

/// Words that do so in front of `key` or `keys`.
const KEYS: &[&str] = &[
    "access",
    "account",
    "api",
    "encryption",
    "license",
    "master",
    "private",
    "shared",
    "signing",
    "ssh",
    "storage",
    "subscription",
];

/// Parts that do so wherever they stand, for names that are written in one word.
const PARTS: &[&str] = &[
    "accesskey",
    "apikey",
    "authorization",
    "credential",
    "passphrase",
    "passwd",
    "password",
    "privatekey",
    "secret",
];

/// Words that make `tokens` a number: of a model's budget, not of a login.
const COUNTS: &[&str] = &[
    "budget", "count", "limit", "max", "min", "num", "number", "per", "total", "usage", "used",
];

/// Whether what stands under this name is a secret. Upper and lower case are alike, except that
/// an upper case letter begins a word; digits at the end of a word do not count.
pub(in crate::audit) fn is_secret(name: &str) -> bool {
    if !may_be_secret(name) {
        return false;
    }
    let words = words(name);
    let counts = words.iter().any(|word| COUNTS.contains(&word.as_str()));
    let named = words.iter().any(|word| {
        let token = word.ends_with("token") || word.ends_with("tokens");
        if token {
            !counts
        } else {
            WORDS.contains(&word.as_str()) || word.ends_with("cookie")
        }
    });
    let key = words
        .windows(2)
        .any(|pair| KEYS.contains(&pair[0].as_str()) && (pair[1] == "key" || pair[1] == "keys"));
    named || key || {
        let joined = words.concat();
        PARTS.iter().any(|part| joined.contains(part))
    }
}

/// Three letters that some word of each kind above holds, `pw` apart.
const SIGNS: &[[u8; 3]] = &[
    *b"aut", *b"bea", *b"coo", *b"cre", *b"jwt", *b"key", *b"otp", *b"pas", *b"sec", *b"sig", *b"tok",
];

/// Quickly, whether a name can be a secret's: most are not, and have none of the signs.
fn may_be_secret(name: &str) -> bool {
    let mut last = [0; 3];
    for byte in name.bytes() {
        if !byte.is_ascii() {
            return true;
        }
        if byte.is_ascii_alphabetic() {
            last = [last[1], last[2], byte.to_ascii_lowercase()];
            if SIGNS.contains(&last) || last[1..] == *b"pw" {
                return true;
            }
        }
    }
    false
}

/// Whether a parameter of a URL's query is a secret: there, `key` and `code` usually are.
pub(super) fn is_secret_parameter(name: &str) -> bool {
    is_secret(name) || ["key", "code"].iter().any(|short| name.eq_ignore_ascii_case(short))
}

fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = None;
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        let begins = character.is_uppercase()
            && before.is_some_and(|before: char| {
                !before.is_uppercase() || characters.peek().is_some_and(|after| after.is_lowercase())
            });
        if begins || !character.is_alphanumeric() {
            words.push(String::new());
        }
        if character.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(character.to_lowercase());
        }
        before = Some(character);
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_its_sign() {
        for word in WORDS.iter().chain(PARTS).chain(&["key", "keys", "token", "cookie"]) {
            assert!(may_be_secret(word) && may_be_secret(&word.to_uppercase()), "{word}");
            let apart: Vec<String> = word.chars().map(|letter| format!("{letter}-1")).collect();
            assert!(may_be_secret(&apart.concat()), "{word}");
        }
        assert!(!may_be_secret("path") && !may_be_secret("old_string"));
    }

    #[test]
    fn names() {
        for name in [
            "token",
            "TOKEN",
            "accessToken",
            "access_token",
            "authtoken",
            "X-Auth-Token",
            "password",
            "dbPassword2",
            "PASSWORD",
            "passwd",
            "api_key",
            "apiKey",
            "API-KEY",
            "APIKey",
            "apikey",
            "x-api-key",
            "Authorization",
            "Proxy-Authorization",
            "cookie",
            "Set-Cookie",
            "client_secret",
            "clientsecret",
            "secrets",
            "private_key",
            "AWS_SECRET_ACCESS_KEY",
            "credentials",
            "auth",
            "X-Amz-Signature",
            "sig",
            "tokens",
            "db.pass",
            "jwt",
            "mypassword",
        ] {
            assert!(is_secret(name), "{name}");
        }
        for name in [
            "",
            "path",
            "key",
            "keys",
            "author",
            "authors",
            "max_tokens",
            "maxTokens",
            "token_count",
            "tokenizer",
            "pattern",
            "compass",
            "passes",
            "bypass",
            "monkey",
            "sign",
            "command",
            "content",
            "url",
            "keyboard",
        ] {
            assert!(!is_secret(name), "{name}");
        }
        assert!(is_secret_parameter("key") && is_secret_parameter("Code") && !is_secret_parameter("q"));
    }
}
