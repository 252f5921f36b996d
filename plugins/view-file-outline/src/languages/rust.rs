//! Rust. A macro is listed by name; an invocation where an item could stand is too, as it may
//! declare what the outline cannot show.

use super::{
    Node::{Declaration, Through},
    Part, Table,
};

pub(crate) static TABLE: Table = Table {
    base: None,
    first: None,
    leads_to: None,
    nodes: &[
        ("associated_type", Declaration),
        ("const_item", Declaration),
        ("enum_item", Declaration),
        ("enum_variant", Declaration),
        ("expression_statement", Through(&[])),
        ("extern_crate_declaration", Declaration),
        ("field_declaration", Declaration),
        ("foreign_mod_item", Declaration),
        ("function_item", Declaration),
        ("function_signature_item", Declaration),
        ("impl_item", Declaration),
        ("macro_definition", Declaration),
        ("macro_invocation", Declaration),
        ("mod_item", Declaration),
        ("static_item", Declaration),
        ("struct_item", Declaration),
        ("trait_item", Declaration),
        ("type_item", Declaration),
        ("union_item", Declaration),
        ("use_declaration", Declaration),
    ],
    parts: &[
        ("closure_expression", "body", Part::Empty),
        ("const_item", "value", Part::Value),
        ("enum_item", "body", Part::Members),
        ("foreign_mod_item", "body", Part::Members),
        ("function_item", "body", Part::Cut),
        ("impl_item", "body", Part::Members),
        ("macro_definition", "name", Part::Last),
        ("macro_invocation", "token_tree", Part::Cut),
        ("mod_item", "body", Part::Members),
        ("static_item", "value", Part::Value),
        ("struct_item", "field_declaration_list", Part::Members),
        ("trait_item", "body", Part::Members),
        ("union_item", "body", Part::Members),
    ],
    comments: &["line_comment", "block_comment"],
    attributes: &["attribute_item", "inner_attribute_item"],
    strings: &["string_literal", "raw_string_literal", "char_literal"],
};
