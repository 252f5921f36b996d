//! What lives here: the tool `alert`.
//! What may call it: the host, through the exported `tool` interface.
//! What it must not touch: addresses, credentials and answers of channels; the host keeps them to itself.

mod describe;
mod message;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolgate_plugin::{Access, Call, Definition, DefinitionContext, Error, Tool};

use message::Alert;

/// Arguments of `alert`.
#[derive(Deserialize, JsonSchema)]
pub struct Args {
    /// The name of the target to alert, one of those that the description lists.
    pub target: String,
    /// How serious it is; `resolved` says that what an earlier alert told of is over.
    pub level: Level,
    /// What happened, in one line; not blank. Targets cut it to what they show, some to 150 characters.
    #[schemars(length(min = 1), regex(pattern = r"\S"))]
    pub summary: String,
    /// Facts by name, with any values.
    #[serde(default)]
    pub details: Option<BTreeMap<String, Value>>,
}

/// How serious an alert is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    #[allow(missing_docs)] // a text for each would make the schema longer and no clearer
    Info,
    #[allow(missing_docs)]
    Warning,
    #[allow(missing_docs)]
    Critical,
    #[allow(missing_docs)]
    Resolved,
}

impl Level {
    /// As it stands in arguments and messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Critical => "critical",
            Self::Resolved => "resolved",
        }
    }
}

/// Result of `alert`.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// The target that accepted the alert.
    pub target: String,
    /// The HTTP status of its answer, 200 to 299.
    pub status_code: u16,
    /// How long sending took, in milliseconds.
    pub duration_ms: u64,
}

/// The tool `alert`.
pub struct SendAlert;

impl Tool for SendAlert {
    type Args = Args;
    type Output = Output;

    fn definition(context: &DefinitionContext) -> Definition {
        Definition::new("alert", describe::description(context.channels()))
            .open_world()
            .access(Access::channel("target").send())
    }

    fn call(args: Args, call: &Call) -> Result<Output, Error> {
        let details = args.details.unwrap_or_default();
        let alert = Alert::new(args.level, &args.summary, &details)?;
        let channel = call.channel("target")?;
        let message = message::render(channel.template(), channel.conversation(), &alert)?;
        let receipt = channel.send(&message)?;
        Ok(Output {
            target: channel.name().to_owned(),
            status_code: receipt.status,
            duration_ms: receipt.duration_ms,
        })
    }
}

toolgate_plugin::export!(SendAlert);

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolgate_plugin::bindings::exports::toolgate::plugin::tool::{
        Channel, Context, Definition, Operations, Target,
    };
    use toolgate_plugin::export::{definition, definitions};

    use super::*;

    fn defined(channels: &[(&str, &str)]) -> Definition {
        let channel = |(name, description): &(&str, &str)| Channel {
            name: (*name).to_owned(),
            description: (*description).to_owned(),
        };
        let context = Context {
            tools: None,
            mode: "ask".to_owned(),
            channels: channels.iter().map(channel).collect(),
        };
        definitions(context, &[definition::<SendAlert>]).remove(0)
    }

    #[test]
    fn the_schema_says_what_the_tool_checks() {
        let schema: Value = serde_json::from_str(&defined(&[]).input_schema).unwrap();
        assert_eq!(schema["required"], json!(["target", "level", "summary"]));
        assert_eq!(schema["additionalProperties"], json!(false));
        let properties = &schema["properties"];
        assert_eq!(
            properties["level"]["enum"],
            json!(["info", "warning", "critical", "resolved"])
        );
        assert_eq!(
            (&properties["summary"]["minLength"], &properties["summary"]["pattern"]),
            (&json!(1), &json!(r"\S"))
        );
        assert_eq!(properties["details"]["type"], json!("object"));
        assert_eq!(properties["details"]["additionalProperties"], json!(true));
    }

    #[test]
    fn only_the_target_is_reached_and_only_the_description_varies() {
        let (one, other) = (defined(&[]), defined(&[("zulu", "a human"), ("alpha", "")]));
        let [access] = &one.accesses[..] else {
            panic!("{:?}", one.accesses);
        };
        assert_eq!((access.argument.as_str(), access.target), ("target", Target::Channel));
        assert_eq!((access.operations, access.lenient), (Operations::SEND, false));
        assert!(one.class.open_world && !one.class.read_only && !one.class.idempotent);
        assert!(
            other.description.ends_with("\nzulu: a human\nalpha"),
            "{}",
            other.description
        );
        assert_eq!(
            (one.input_schema, one.output_schema),
            (other.input_schema, other.output_schema)
        );
    }
}
