//! Python. A name that is assigned at the top of a module or class is a declaration; so are
//! definitions and imports inside `if`, `try` and `with` there.

use super::{
    Node::{Declaration, DeclarationIf, Through},
    Part, Table,
};

pub(crate) static TABLE: Table = Table {
    base: None,
    first: None,
    leads_to: None,
    nodes: &[
        (
            "assignment",
            DeclarationIf("left", &["identifier", "pattern_list", "tuple_pattern"]),
        ),
        ("block", Through(&[])),
        ("class_definition", Declaration),
        ("decorated_definition", Through(&["definition"])),
        ("elif_clause", Through(&["consequence"])),
        ("else_clause", Through(&["body"])),
        ("except_clause", Through(&[])),
        ("expression_statement", Through(&[])),
        ("finally_clause", Through(&[])),
        ("function_definition", Declaration),
        ("future_import_statement", Declaration),
        ("if_statement", Through(&["consequence", "alternative"])),
        ("import_from_statement", Declaration),
        ("import_statement", Declaration),
        ("try_statement", Through(&[])),
        ("type_alias_statement", Declaration),
        ("with_statement", Through(&["body"])),
    ],
    parts: &[
        ("assignment", "right", Part::Value),
        ("class_definition", "body", Part::Members),
        ("function_definition", "body", Part::Cut),
    ],
    comments: &["comment"],
    attributes: &["decorator"],
    strings: &["string", "concatenated_string"],
};
