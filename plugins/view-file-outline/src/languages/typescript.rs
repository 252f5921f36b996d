//! TypeScript, with and without JSX: JavaScript and types. A type alias is written whole.

use super::{
    Node::{Declaration, Member},
    Part, Table, javascript,
};

pub(crate) static TABLE: Table = Table {
    base: Some(&javascript::TABLE),
    first: None,
    leads_to: None,
    nodes: &[
        ("abstract_class_declaration", Declaration),
        ("abstract_method_signature", Declaration),
        ("ambient_declaration", Declaration),
        ("call_signature", Declaration),
        ("construct_signature", Declaration),
        ("enum_assignment", Declaration),
        ("enum_declaration", Declaration),
        ("function_signature", Declaration),
        ("import_alias", Declaration),
        ("index_signature", Declaration),
        ("interface_declaration", Declaration),
        ("internal_module", Declaration),
        ("method_signature", Declaration),
        ("module", Declaration),
        // The two forms of an enum's member without a value.
        ("property_identifier", Member),
        ("string", Member),
        ("property_signature", Declaration),
        ("public_field_definition", Declaration),
        ("type_alias_declaration", Declaration),
    ],
    parts: &[
        ("abstract_class_declaration", "body", Part::Members),
        ("ambient_declaration", "statement_block", Part::Members),
        ("enum_declaration", "body", Part::Members),
        ("interface_declaration", "body", Part::Members),
        ("internal_module", "body", Part::Members),
        ("module", "body", Part::Members),
        ("public_field_definition", "value", Part::Value),
    ],
    comments: &[],
    attributes: &[],
    strings: &[],
};
