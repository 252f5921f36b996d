//! Path scope and deny patterns, at the level of the scope library.

use toolgate::scope::{Access, PathScope, ScopeError};
use toolgate_tests::vectors::{self, AllowPath, PathDenyRow, PathScopeRow, Workspace};

use super::verdict;

fn scope(
    workspace: &Workspace,
    roots: &[String],
    allow: &[AllowPath],
    deny: &[String],
) -> Result<PathScope, ScopeError> {
    // The first root is the project; a row without roots, or with others, still has W as its working directory.
    let inside = workspace.inside().display().to_string();
    let mut builder = PathScope::builder(inside.clone()).home(Some("/root".to_owned()));
    let roots: Vec<String> = roots.iter().map(|root| workspace.expand(root)).collect();
    if !roots.contains(&inside) {
        builder = builder.without_project();
    }
    for root in roots.iter().filter(|root| **root != inside) {
        builder = builder.allow(format!("{}/...", root.trim_end_matches('/')), Access::READ_WRITE);
    }
    for entry in allow {
        builder = builder.allow(workspace.expand(&entry.path), entry.access.parse().unwrap());
    }
    builder
        .deny(deny.iter().map(|pattern| workspace.expand(pattern)))
        .build()
}

#[test]
fn path_scope() {
    let table = vectors::load_table::<PathScopeRow>("path-scope");
    let workspace = Workspace::create(&table.setup).unwrap();
    let mut failures = Vec::new();
    let mut ran = 0;
    for row in &table.rows {
        if row.unprivileged && vectors::running_as_root() {
            continue;
        }
        ran += 1;
        let scope = scope(&workspace, &row.roots, &row.allow_paths, &row.deny);
        match (scope, &row.request, &row.access) {
            (Err(_), ..) if row.load_error => {}
            (Err(error), ..) => failures.push(format!("{}: does not load: {error}", row.id)),
            (Ok(_), ..) if row.load_error => failures.push(format!("{}: loads, but must not", row.id)),
            (Ok(scope), Some(request), Some(access)) => {
                let found = scope.access_of(&workspace.expand(request)).to_string();
                if found != *access {
                    failures.push(format!("{}: {request:?} has {found}, expected {access}", row.id));
                }
            }
            _ => failures.push(format!("{}: the row says nothing to check", row.id)),
        }
    }
    verdict("path-scope", ran, failures);
}

#[test]
fn path_deny() {
    let table = vectors::load_table::<PathDenyRow>("path-deny");
    let workspace = Workspace::create(&table.setup).unwrap();
    let inside = [workspace.inside().display().to_string()];
    let mut failures = Vec::new();
    let mut ran = 0;
    for row in &table.rows {
        ran += 1;
        let scope = match scope(&workspace, &inside, &row.allow_paths, &row.patterns) {
            Ok(_) if row.load_error => {
                failures.push(format!("{}: {:?} load, but must not", row.id, row.patterns));
                continue;
            }
            Err(error) if row.load_error => {
                assert!(error.to_string().len() > 20, "{}: {error}", row.id);
                continue;
            }
            Err(error) => {
                failures.push(format!("{}: does not load: {error}", row.id));
                continue;
            }
            Ok(scope) => scope,
        };
        for case in row.cases() {
            ran += 1;
            let relative = if case.path == "." { "" } else { case.path.as_str() };
            if scope.denied(0, relative).is_some() != case.denied {
                failures.push(format!(
                    "{} with {:?}: expected denied = {}",
                    case.id, case.patterns, case.denied
                ));
            }
        }
    }
    verdict("path-deny", ran, failures);
}
