//! The declarations of a syntax tree, in the order of the file.

use std::fmt::Write;

use tree_sitter::{Node, Tree};

use crate::declaration::Declaration;
use crate::languages::{self, Table};
use crate::problem::Problem;

/// The declarations of a file that parsed.
///
/// # Errors
///
/// One has not the shape that the language demands, though the grammar lets it pass.
pub(crate) fn declarations<'tree>(
    tree: &'tree Tree,
    source: &str,
    table: &'static Table,
) -> Result<Vec<Declaration<'tree>>, Problem> {
    let mut found = Vec::new();
    // Nodes yet to be looked at, the next one last, and whether they are members of a declaration.
    // A stack of its own, because sources can be nested deeper than the call stack is.
    let mut pending = Vec::new();
    push_children(&mut pending, tree.root_node(), &[], false);
    while let Some((node, is_member)) = pending.pop() {
        match table.node(node.kind()) {
            Some(languages::Node::Through(fields)) => push_children(&mut pending, node, fields, false),
            Some(meaning) if is_declaration(node, meaning, is_member) => {
                if let Some(chain) = table.leads_to.filter(|chain| !keeps(node, *chain)) {
                    return Err(Problem::new(node.start_position(), chain.otherwise));
                }
                let declaration = Declaration::read(node, source, table);
                for body in declaration.members.iter().rev() {
                    push_children(&mut pending, *body, &[], true);
                }
                found.push(declaration);
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Whether a node meets a demand, which it does if the demand is not about it.
fn keeps(node: Node<'_>, chain: languages::Chain) -> bool {
    if node.kind() != chain.kind {
        return true;
    }
    std::iter::successors(Some(node), |node| node.child_by_field_name(chain.field))
        .any(|node| node.kind() == chain.reaches)
}

fn is_declaration(node: Node<'_>, meaning: languages::Node, is_member: bool) -> bool {
    match meaning {
        languages::Node::Declaration => true,
        languages::Node::DeclarationIf(field, kinds) => is_one_of(node, field, kinds),
        languages::Node::Member => is_member,
        languages::Node::Through(_) => false,
    }
}

/// Adds the named children, or those in the given fields, so that the first one is next.
fn push_children<'tree>(pending: &mut Vec<(Node<'tree>, bool)>, node: Node<'tree>, fields: &[&str], are_members: bool) {
    let start = pending.len();
    let mut cursor = node.walk();
    if cursor.goto_first_child() {
        loop {
            let child = cursor.node();
            let wanted = fields.is_empty() || cursor.field_name().is_some_and(|field| fields.contains(&field));
            if wanted && child.is_named() {
                pending.push((child, are_members));
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
    }
    pending[start..].reverse();
}

fn is_one_of(node: Node<'_>, field: &str, kinds: &[&str]) -> bool {
    node.child_by_field_name(field)
        .is_some_and(|child| kinds.contains(&child.kind()))
}

/// The outline's text: for each declaration its line, right-aligned in 5 columns, two spaces, the
/// text; further lines of it are indented by 7 spaces.
pub(crate) fn text(declarations: &[Declaration<'_>]) -> String {
    let mut outline = String::new();
    for declaration in declarations {
        line(&mut outline, declaration.line, declaration.text.lines());
    }
    outline
}

/// Adds one declaration to an outline.
pub(crate) fn line<'a>(outline: &mut String, number: usize, mut lines: impl Iterator<Item = &'a str>) {
    // Writing to a string does not fail.
    let _ = writeln!(outline, "{number:>5}  {}", lines.next().unwrap_or_default());
    for more in lines {
        if !more.is_empty() {
            outline.push_str("       ");
        }
        outline.push_str(more);
        outline.push('\n');
    }
}
