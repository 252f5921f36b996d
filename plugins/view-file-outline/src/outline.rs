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
    // Those yet to be looked at, the next one last. A stack of its own, because sources can be
    // nested deeper than the call stack is.
    let mut pending = Vec::new();
    push_children(&mut pending, tree.root_node(), &[], table, false);
    while let Some(candidate) = pending.pop() {
        let node = candidate.node;
        match table.node(node.kind()) {
            Some(languages::Node::Through(fields)) => push_children(&mut pending, node, fields, table, false),
            Some(meaning) if candidate.is_declaration(meaning) => {
                if let Some(chain) = table.leads_to.filter(|chain| !keeps(node, *chain)) {
                    return Err(Problem::new(node.start_position(), chain.otherwise));
                }
                let declaration = Declaration::read(node, candidate.from, source, table);
                for body in declaration.members.iter().rev() {
                    push_children(&mut pending, *body, &[], table, true);
                }
                found.push(declaration);
            }
            _ => {}
        }
    }
    Ok(found)
}

/// A node where a declaration can stand.
struct Candidate<'tree> {
    node: Node<'tree>,
    /// Where the first of the attributes starts that precede it on its line, or it does itself.
    from: usize,
    /// Whether it stands among the members of a declaration.
    is_member: bool,
}

impl Candidate<'_> {
    fn is_declaration(&self, meaning: languages::Node) -> bool {
        match meaning {
            languages::Node::Declaration => true,
            languages::Node::DeclarationIf(field, kinds) => self
                .node
                .child_by_field_name(field)
                .is_some_and(|child| kinds.contains(&child.kind())),
            languages::Node::Member => self.is_member,
            languages::Node::Through(_) => false,
        }
    }
}

/// Whether a node meets a demand, which it does if the demand is not about it.
fn keeps(node: Node<'_>, chain: languages::Chain) -> bool {
    if node.kind() != chain.kind {
        return true;
    }
    std::iter::successors(Some(node), |node| node.child_by_field_name(chain.field))
        .any(|node| node.kind() == chain.reaches)
}

/// Adds the named children, or those in the given fields, so that the first one is next.
fn push_children<'tree>(
    pending: &mut Vec<Candidate<'tree>>,
    parent: Node<'tree>,
    fields: &[&str],
    table: &'static Table,
    is_member: bool,
) {
    let start = pending.len();
    let mut attributes: Option<Node<'tree>> = None;
    let mut cursor = parent.walk();
    let mut more = cursor.goto_first_child();
    while more {
        let node = cursor.node();
        let wanted = fields.is_empty() || cursor.field_name().is_some_and(|field| fields.contains(&field));
        if table.is_attribute(node.kind()) {
            attributes = attributes.or(Some(node));
        } else {
            let row = node.start_position().row;
            let attached = attributes.take().filter(|first| first.start_position().row == row);
            if wanted && node.is_named() {
                pending.push(Candidate {
                    node,
                    from: attached.unwrap_or(node).start_byte(),
                    is_member,
                });
            }
        }
        more = cursor.goto_next_sibling();
    }
    pending[start..].reverse();
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
