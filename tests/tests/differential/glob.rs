//! `glob` against a walk and a matcher of its own.

use std::path::Path;

use serde_json::json;

use crate::hosts::{Pair, UNLIMITED};
use crate::reference::{files, matches};
use crate::trees::{Repository, registry};

/// A pattern, and what stands for it without braces.
const ROWS: &[(&str, &[&str])] = &[
    ("*", &["*"]),
    ("*.rs", &["*.rs"]),
    ("?.txt", &["?.txt"]),
    ("lib.rs", &["lib.rs"]),
    (".*", &[".*"]),
    ("[a-cm]*.{rs,toml}", &["[a-cm]*.rs", "[a-cm]*.toml"]),
    ("*.[!rmt]*", &["*.[!rmt]*"]),
    (
        "{Cargo,clippy}.{toml,lock}",
        &["Cargo.toml", "Cargo.lock", "clippy.toml", "clippy.lock"],
    ),
    ("**/tests/*.rs", &["**/tests/*.rs"]),
    ("**/src/**/mod.rs", &["**/src/**/mod.rs"]),
    ("host/src/*/*.rs", &["host/src/*/*.rs"]),
    ("planted/order/**", &["planted/order/**"]),
    ("\\[x\\].txt", &["\\[x\\].txt"]),
    ("[à-ÿ]*", &["[à-ÿ]*"]),
    ("* *", &["* *"]),
    ("nothing-is-called-this", &["nothing-is-called-this"]),
];

fn compare(root: &Path) {
    let pair = Pair::new(root, UNLIMITED);
    let files = files(root);
    for (pattern, plain) in ROWS {
        let matching = files
            .iter()
            .filter(|file| plain.iter().any(|plain| matches(plain, file)));
        let expected: Vec<String> = matching.map(|file| format!("{}/{file}", root.display())).collect();
        let result = pair.call("glob", &json!({"pattern": pattern}), 1);
        let paths = result["paths"].as_array().unwrap();
        let same = paths
            .iter()
            .zip(&expected)
            .take_while(|(path, expected)| *path == *expected)
            .count();
        assert!(
            same == expected.len() && same == paths.len(),
            "{pattern}: {:?} where {:?} is expected",
            paths.get(same),
            expected.get(same)
        );
        assert_eq!(result["total"], expected.len(), "{pattern}");
        assert_eq!(result.len(), 2, "{pattern}: {:?}", result.keys());
    }
}

#[test]
fn glob_finds_what_a_plain_walk_finds_in_this_repository() {
    let repository = Repository::copy();
    compare(&repository.root());
}

#[test]
fn glob_finds_what_a_plain_walk_finds_in_the_registry() {
    if let Some(registry) = registry() {
        compare(&registry);
    }
}
