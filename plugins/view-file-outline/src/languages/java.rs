//! Java.

use super::{
    Node::{Declaration, Through},
    Part, Table,
};

pub(crate) static TABLE: Table = Table {
    base: None,
    first: None,
    leads_to: None,
    nodes: &[
        ("annotation_type_declaration", Declaration),
        ("annotation_type_element_declaration", Declaration),
        ("class_declaration", Declaration),
        ("compact_constructor_declaration", Declaration),
        ("constant_declaration", Declaration),
        ("constructor_declaration", Declaration),
        ("enum_body_declarations", Through(&[])),
        ("enum_constant", Declaration),
        ("enum_declaration", Declaration),
        ("field_declaration", Declaration),
        ("import_declaration", Declaration),
        ("interface_declaration", Declaration),
        ("method_declaration", Declaration),
        ("module_declaration", Declaration),
        ("package_declaration", Declaration),
        ("record_declaration", Declaration),
    ],
    parts: &[
        ("annotation_type_declaration", "body", Part::Members),
        ("class_declaration", "body", Part::Members),
        ("compact_constructor_declaration", "body", Part::Cut),
        ("constructor_declaration", "body", Part::Cut),
        ("enum_constant", "body", Part::Members),
        ("enum_declaration", "body", Part::Members),
        ("interface_declaration", "body", Part::Members),
        ("lambda_expression", "body", Part::Empty),
        ("method_declaration", "body", Part::Cut),
        ("object_creation_expression", "class_body", Part::Empty),
        ("record_declaration", "body", Part::Members),
        ("variable_declarator", "value", Part::Value),
    ],
    comments: &["line_comment", "block_comment"],
    attributes: &["annotation", "marker_annotation"],
    strings: &["string_literal", "character_literal"],
};
