//! From source text to a syntax tree, or to the place where it stops being one.

use tree_sitter::{Parser, Tree};

use crate::languages::Language;
use crate::problem::{self, Problem};

/// Parses a whole file.
///
/// # Errors
///
/// The text does not parse as this language: an outline of what was recovered would be wrong in
/// ways that nobody could see (FX-34).
pub(crate) fn parse(source: &str, language: &'static Language) -> Result<Tree, Problem> {
    let mut parser = Parser::new();
    let unusable = || Problem::at_start(format!("the {} grammar cannot be used", language.name));
    parser.set_language(&language.grammar.into()).map_err(|_| unusable())?;
    let tree = parser.parse(source, None).ok_or_else(unusable)?;
    if tree.root_node().has_error() {
        return Err(problem::first(&mut parser, &tree, source));
    }
    if let Some(first) = language.table.first {
        only_declarations(&tree, language, first)?;
    }
    Ok(tree)
}

/// Holds a file against the order of its language where the grammar is more tolerant.
fn only_declarations(tree: &Tree, language: &'static Language, first: &str) -> Result<(), Problem> {
    let root = tree.root_node();
    let mut cursor = root.walk();
    let mut expects_first = true;
    for child in root.named_children(&mut cursor) {
        let kind = child.kind();
        if language.table.is_comment(kind) {
            continue;
        }
        if expects_first != (kind == first) {
            return Err(Problem::new(child.start_position(), expected(first, expects_first)));
        }
        if language.table.node(kind).is_none() {
            return Err(Problem::new(child.start_position(), "not a declaration"));
        }
        expects_first = false;
    }
    if expects_first {
        return Err(Problem::new(root.end_position(), expected(first, true)));
    }
    Ok(())
}

fn expected(first: &str, missing: bool) -> String {
    let words = first.replace('_', " ");
    if missing {
        format!("expected a {words}")
    } else {
        format!("a second {words}")
    }
}
