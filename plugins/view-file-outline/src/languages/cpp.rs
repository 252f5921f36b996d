//! C++: C, classes, namespaces, templates. A template starts at the line of `template`.

use super::{Node::Declaration, Part, Table, c};

pub(crate) static TABLE: Table = Table {
    base: Some(&c::TABLE),
    first: None,
    leads_to: None,
    nodes: &[
        ("alias_declaration", Declaration),
        ("class_specifier", Declaration),
        ("concept_definition", Declaration),
        ("friend_declaration", Declaration),
        ("namespace_alias_definition", Declaration),
        ("namespace_definition", Declaration),
        ("template_declaration", Declaration),
        ("template_instantiation", Declaration),
        ("using_declaration", Declaration),
    ],
    parts: &[
        ("class_specifier", "body", Part::Members),
        ("field_declaration", "default_value", Part::Value),
        ("function_definition", "field_initializer_list", Part::Cut),
        ("function_definition", "try_statement", Part::Cut),
        ("lambda_expression", "body", Part::Empty),
        ("namespace_definition", "body", Part::Members),
    ],
    comments: &[],
    attributes: &[],
    strings: &["raw_string_literal"],
};
