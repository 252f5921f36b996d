//! Mandatory denies and spellings, at the level of the scope library.

use toolgate::scope::{MandatoryClass, PathScope, folded};
use toolgate_tests::vectors::{self, MandatoryRow, SpellingRow, Workspace};

use super::verdict;

/// The failures of a row, with its class in force or lifted.
fn check(row: &MandatoryRow, workspace: &Workspace, lifted: bool) -> Vec<String> {
    let root = workspace.expand(row.root.as_deref().unwrap_or("$W"));
    std::fs::create_dir_all(&root).unwrap();
    let class: MandatoryClass = row.class.parse().unwrap();
    assert_eq!(
        (class.name(), class.hides()),
        (row.class.as_str(), row.hides),
        "{}",
        row.id
    );
    let own = row.own.iter().map(|directory| workspace.expand(directory));
    let scope = PathScope::builder(&*root)
        .deny_own(own)
        .lift(lifted.then_some(class.name()))
        .build()
        .unwrap();
    let mut failures = Vec::new();
    let mut expect = |path: &str, writes: bool, expected: Option<MandatoryClass>| {
        let absolute = if row.outside {
            workspace.expand(path)
        } else {
            format!("{root}/{path}")
        };
        let found = scope.mandatory(&absolute, writes);
        let place = scope.locate(&absolute);
        let placed = place.map_or(found, |place| scope.mandatory_at(place.root, &place.relative, writes));
        if found != expected || placed != expected {
            failures.push(format!(
                "{} {path:?}, lifted {lifted}, writes {writes}: {found:?} and {placed:?}, expected {expected:?}",
                row.id
            ));
        }
    };
    for path in &row.kept {
        expect(path, false, (row.hides && !lifted).then_some(class));
        expect(path, true, (!lifted || class == MandatoryClass::Own).then_some(class));
    }
    for path in &row.open {
        expect(path, false, None);
        expect(path, true, None);
    }
    failures
}

#[test]
fn path_mandatory() {
    let table = vectors::load_table::<MandatoryRow>("path-mandatory");
    let mut failures = Vec::new();
    for row in &table.rows {
        let workspace = Workspace::create(&table.setup).unwrap();
        failures.extend(check(row, &workspace, false));
        failures.extend(check(row, &workspace, true));
    }
    for class in MandatoryClass::ALL {
        assert!(table.rows.iter().any(|row| row.class == class.name()), "{class}");
        assert!(class.why().len() > 20 && !class.why().contains('\n'));
    }
    verdict("path-mandatory", table.rows.len(), failures);
}

#[test]
fn an_unknown_class_is_refused_with_those_that_exist() {
    let workspace = Workspace::create(&[]).unwrap();
    let built = PathScope::builder(workspace.inside().display().to_string())
        .lift(["git_hook"])
        .build();
    let message = built.unwrap_err().to_string();
    for part in ["path_scope.lift", "\"git_hook\"", "git_hooks", "env_files", "own"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn path_spellings() {
    let table = vectors::load_table::<SpellingRow>("path-spellings");
    let mut failures = Vec::new();
    for row in &table.rows {
        let form = folded(&row.one[0]);
        for name in &row.one {
            if folded(name) != form {
                failures.push(format!("{} {name:?}: {:?}, expected {form:?}", row.id, folded(name)));
            }
        }
        let same = row.other.iter().filter(|name| folded(name) == form);
        failures.extend(same.map(|name| format!("{} {name:?} is the same", row.id)));
    }
    verdict("path-spellings", table.rows.len(), failures);
}
