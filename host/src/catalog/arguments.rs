//! Arguments against the schema: aliases, unknown names, types.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, Validator};
use serde_json::{Map, Value};

use super::definition::Definition;
use crate::call::{CallError, ErrorKind};

/// Valid arguments by name. Keys are sorted, so the text form is canonical.
pub type Arguments = Map<String, Value>;

/// A schema that cannot be used.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct ArgumentsError(String);

/// A compiled input schema.
#[derive(Debug)]
pub(super) struct Checker {
    validator: Validator,
    properties: Vec<String>,
}

impl Checker {
    /// Compiles the schema. Patterns run on an engine without backtracking,
    /// and references are not fetched.
    pub(super) fn new(definition: &Definition) -> Result<Self, ArgumentsError> {
        let validator = jsonschema::options()
            .with_pattern_options(PatternOptions::regex())
            .build(&definition.input_schema)
            .map_err(|error| ArgumentsError(format!("the input schema is not valid: {error}")))?;
        let properties = definition
            .input_schema
            .get("properties")
            .and_then(Value::as_object)
            .map(|map| map.keys().cloned().collect())
            .unwrap_or_default();
        Ok(Self { validator, properties })
    }

    /// Applies aliases and validates.
    pub(super) fn check<'a>(&self, definition: &Definition, given: &'a mut Value) -> Result<&'a Arguments, CallError> {
        let tool = &definition.name;
        let fail = |message: String| CallError::new(ErrorKind::InvalidArguments, format!("{tool}: {message}"));
        if given.is_null() {
            *given = Value::Object(Map::new());
        }
        if let Value::Object(arguments) = given {
            for (alias, name) in &definition.aliases {
                if arguments.contains_key(alias) && arguments.contains_key(name) {
                    return Err(fail(format!(
                        "{alias:?} is another name for {name:?}; give only one of them"
                    )));
                }
                if let Some(value) = arguments.remove(alias) {
                    arguments.insert(name.clone(), value);
                }
            }
            if let Err(error) = self.validator.validate(given) {
                return Err(fail(self.explain(&error)));
            }
        }
        let kind = type_name(given);
        let Value::Object(arguments) = given else {
            return Err(fail(format!("the arguments must be one JSON object, not {kind}")));
        };
        if let Some(reason) = super::rules::broken(&definition.rules, arguments) {
            return Err(fail(reason));
        }
        // 3.0 counts as an integer to JSON Schema; tools get the plain form.
        for value in arguments.values_mut() {
            integral(value);
        }
        Ok(arguments)
    }

    fn explain(&self, error: &jsonschema::ValidationError<'_>) -> String {
        let place = error.instance_path().to_string();
        let place = place.trim_start_matches('/').replace('/', ".");
        match error.kind() {
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                let name = unexpected.first().map_or("", String::as_str);
                let known = self.properties.iter().map(String::as_str);
                let hint = crate::suggest::hint(name, known);
                let all = if self.properties.is_empty() {
                    "it takes no arguments".to_owned()
                } else {
                    format!("it takes {}", self.properties.join(", "))
                };
                format!("unknown argument {name:?}{hint} ({all})")
            }
            ValidationErrorKind::Required { property } => {
                let name = property.as_str().unwrap_or_default();
                format!("the argument {name:?} is required")
            }
            ValidationErrorKind::Type { kind } => {
                let wanted = match kind {
                    jsonschema::error::TypeKind::Single(kind) => kind.to_string(),
                    jsonschema::error::TypeKind::Multiple(kinds) => kinds
                        .iter()
                        .map(|kind| kind.to_string())
                        .collect::<Vec<_>>()
                        .join(" or "),
                };
                format!(
                    "{place:?} must be {wanted}, not {} ({})",
                    type_name(error.instance()),
                    shorten(&error.instance().to_string())
                )
            }
            ValidationErrorKind::Enum { options } => {
                let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
                let options: Vec<String> = options.iter().map(ToString::to_string).collect();
                format!(
                    "{place:?} is {}, which is none of {}",
                    shorten(&error.instance().to_string()),
                    options.join(", ")
                )
            }
            ValidationErrorKind::Pattern { pattern } if pattern == r"\S" => {
                format!("{place:?} must not be blank")
            }
            _ => {
                let text = shorten(&error.to_string());
                if place.is_empty() {
                    text
                } else {
                    format!("{place:?}: {text}")
                }
            }
        }
    }
}

fn integral(value: &mut Value) {
    if let Value::Number(number) = value
        && let Some(float) = number.as_f64()
        && number.is_f64()
        && float.fract() == 0.0
        && float.abs() < 9_007_199_254_740_992.0
    {
        // Exact: an integral double below 2^53.
        #[allow(clippy::cast_possible_truncation)]
        let integer = float as i64;
        *value = Value::from(integer);
    }
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// At most 200 bytes of text that comes from the caller.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
