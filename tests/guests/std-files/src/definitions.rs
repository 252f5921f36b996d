//! What the tools say of themselves, by hand.

use crate::bindings::exports::toolgate::plugin::tool::{Access, Class, Definition, Operations, Target};

/// All tools.
pub(crate) fn all() -> Vec<Definition> {
    let read = Operations::READ;
    let change = Operations::READ | Operations::WRITE | Operations::CREATE;
    vec![
        definition(
            "std_read",
            "Read a file with std::fs.",
            &["path"],
            Some((Target::File, read)),
        ),
        definition(
            "std_list",
            "List a directory with std::fs.",
            &["path"],
            Some((Target::Tree, read)),
        ),
        definition(
            "std_write",
            "Write a file with std::fs and read it again.",
            &["path", "content"],
            Some((Target::File, change)),
        ),
        definition(
            "std_surroundings",
            "Tell environment, arguments, input, directory.",
            &[],
            None,
        ),
    ]
}

fn definition(name: &str, description: &str, arguments: &[&str], access: Option<(Target, Operations)>) -> Definition {
    let properties: Vec<String> = arguments
        .iter()
        .map(|argument| format!(r#""{argument}":{{"type":"string"}}"#))
        .collect();
    Definition {
        name: name.to_owned(),
        description: description.to_owned(),
        input_schema: format!(
            r#"{{"type":"object","additionalProperties":false,"properties":{{{}}}}}"#,
            properties.join(",")
        ),
        output_schema: r#"{"type":"object"}"#.to_owned(),
        class: Class {
            read_only: false,
            destructive: false,
            idempotent: false,
            open_world: false,
        },
        accesses: access
            .into_iter()
            .map(|(target, operations)| Access {
                argument: "path".to_owned(),
                target,
                operations,
                default: None,
                when: None,
                lenient: false,
            })
            .collect(),
        aliases: Vec::new(),
        caps: None,
        survey: false,
        rules: Vec::new(),
        budget: None,
        shared_walk: None,
    }
}
