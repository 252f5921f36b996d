//! Go. Types, constants and variables are written whole: with fields, methods, tags, initialisers.

use super::{Node::Declaration, Part, Table};

pub(crate) static TABLE: Table = Table {
    base: None,
    first: Some("package_clause"),
    leads_to: None,
    nodes: &[
        ("package_clause", Declaration),
        ("import_declaration", Declaration),
        ("const_declaration", Declaration),
        ("var_declaration", Declaration),
        ("type_declaration", Declaration),
        ("function_declaration", Declaration),
        ("method_declaration", Declaration),
    ],
    parts: &[
        ("function_declaration", "body", Part::Cut),
        ("method_declaration", "body", Part::Cut),
        ("func_literal", "body", Part::Empty),
    ],
    comments: &["comment"],
    attributes: &[],
    strings: &["raw_string_literal", "interpreted_string_literal"],
};
