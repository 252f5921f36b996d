//! C. All branches of `#if` are looked into. Macros are listed, those with parameters without
//! what they expand to.

use super::{
    Chain,
    Node::{Declaration, Through},
    Part, Table,
};

pub(crate) static TABLE: Table = Table {
    base: None,
    first: None,
    leads_to: Some(Chain {
        kind: "function_definition",
        field: "declarator",
        reaches: "function_declarator",
        otherwise: "a body without parameters",
    }),
    nodes: &[
        ("declaration", Declaration),
        ("enum_specifier", Declaration),
        ("enumerator", Declaration),
        ("field_declaration", Declaration),
        ("function_definition", Declaration),
        ("linkage_specification", Declaration),
        ("preproc_def", Declaration),
        ("preproc_elif", Through(&[])),
        ("preproc_elifdef", Through(&[])),
        ("preproc_else", Through(&[])),
        ("preproc_function_def", Declaration),
        ("preproc_if", Through(&[])),
        ("preproc_ifdef", Through(&[])),
        ("preproc_include", Declaration),
        ("struct_specifier", Declaration),
        ("type_definition", Declaration),
        ("union_specifier", Declaration),
    ],
    parts: &[
        ("enum_specifier", "body", Part::Members),
        ("function_definition", "body", Part::Cut),
        ("init_declarator", "value", Part::Value),
        ("linkage_specification", "declaration_list", Part::Members),
        ("preproc_def", "value", Part::Value),
        ("preproc_function_def", "parameters", Part::Last),
        ("struct_specifier", "body", Part::Members),
        ("union_specifier", "body", Part::Members),
    ],
    comments: &["comment"],
    attributes: &["attribute_declaration", "attribute_specifier"],
    strings: &["string_literal", "char_literal", "system_lib_string"],
};
