//! JavaScript. Assigning a property at the top of a file (`exports.name = …`) declares it. A
//! function that is called where it is written is a scope for a file, and looked into.

use super::{
    Node::{Declaration, DeclarationIf, Through},
    Part, Table,
};

pub(crate) static TABLE: Table = Table {
    base: None,
    first: None,
    leads_to: None,
    nodes: &[
        ("arrow_function", Through(&["body"])),
        ("assignment_expression", DeclarationIf("left", &["member_expression"])),
        ("call_expression", Through(&["function"])),
        ("class_declaration", Declaration),
        ("else_clause", Through(&[])),
        ("export_statement", Declaration),
        ("expression_statement", Through(&[])),
        ("field_definition", Declaration),
        ("function_declaration", Declaration),
        ("function_expression", Through(&["body"])),
        ("generator_function_declaration", Declaration),
        ("if_statement", Through(&["consequence", "alternative"])),
        ("import_statement", Declaration),
        ("lexical_declaration", Declaration),
        ("member_expression", Through(&["object"])),
        ("method_definition", Declaration),
        ("parenthesized_expression", Through(&[])),
        ("statement_block", Through(&[])),
        ("try_statement", Through(&["body"])),
        ("unary_expression", Through(&["argument"])),
        ("using_declaration", Declaration),
        ("variable_declaration", Declaration),
    ],
    parts: &[
        ("arrow_function", "body", Part::Empty),
        ("assignment_expression", "right", Part::Value),
        ("class", "body", Part::Members),
        ("class_declaration", "body", Part::Members),
        ("export_statement", "value", Part::Value),
        ("field_definition", "value", Part::Value),
        ("function_declaration", "body", Part::Cut),
        ("function_expression", "body", Part::Empty),
        ("generator_function", "body", Part::Empty),
        ("generator_function_declaration", "body", Part::Cut),
        ("method_definition", "body", Part::Cut),
        ("variable_declarator", "value", Part::Value),
    ],
    comments: &["comment", "html_comment"],
    attributes: &["decorator"],
    strings: &["string", "template_string", "regex", "jsx_text"],
};
