//! What lives here: the tool `json_query`, jq expressions over one JSON document.
//! What may call it: the host, through the exported `tool` interface.
//! What it must not touch: anything but the one file that a call grants, and that only to read.

mod builtins;
mod document;
mod input;
mod query;
mod results;
mod value;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use toolgate_plugin::{Access, Call, Caps, Definition, DefinitionContext, Error, Rule, Tool};

use query::Query;

/// How long one evaluation may take, in seconds (FX-07): jq has no limit, and some expressions never
/// end.
const BUDGET: f32 = 5.0;

/// Arguments of `json_query`.
#[derive(Deserialize, JsonSchema)]
pub struct Args {
    /// The jq expression, for example `.items[] | select(.size > 10) | .name`.
    pub expression: String,
    /// A file that holds one JSON document, up to 64 MiB. Give this or `data`.
    pub path: Option<String>,
    /// The JSON document itself, as a string. Give this or `path`.
    pub data: Option<String>,
}

impl Args {
    /// The argument that names the file.
    const PATH: &str = "path";
}

/// Result of `json_query`.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// The outputs of the expression, in order. One that did not fit is replaced by an object with
    /// `_truncated`, its size in `bytes` and its `type`.
    #[schemars(with = "Vec<serde_json::Value>")]
    pub results: Box<RawValue>,
    /// How many results there are.
    pub count: u64,
    /// Present if the output limits left something out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

/// The tool `json_query`.
pub struct JsonQuery;

impl Tool for JsonQuery {
    type Args = Args;
    type Output = Output;

    fn definition(context: &DefinitionContext) -> Definition {
        Definition::new(
            "json_query",
            "Evaluate a jq expression over one JSON document: a file (`path`) or a string (`data`), exactly one of \
             the two. Answers with `results`, the list of everything the expression puts out, and their `count`. \
             Meant for large structured documents: ask for the part you need instead of reading the whole. Numbers \
             keep all their digits. Output is limited, by default to 262144 bytes and 5000 results: with \
             `truncated`, narrow the expression. An expression has no environment, clock, modules or further \
             inputs, and 5 seconds.",
        )
        .describe_if(context.has("bash"), "Prefer this to running jq through bash.")
        .read_only()
        .access(Access::file(Args::PATH).read())
        .rule(Rule::exactly_one([Args::PATH, "data"]))
        .budget(BUDGET)
        .alias("query", "expression")
        .alias("json", "data")
        .caps(Caps {
            max_bytes: 262_144,
            max_lines: 5000,
        })
    }

    fn call(args: Args, call: &Call) -> Result<Output, Error> {
        if args.expression.is_empty() {
            return Err(Error::invalid_arguments(
                "query: `expression` is empty; `.` gives the whole document",
            ));
        }
        let input = input::read(args.data, call)?;
        let query = Query::compile(&args.expression)
            .map_err(|message| Error::invalid_arguments(format!("query: `expression` is wrong at {message}")))?;
        let results = results::collect(query.run(input), call.caps()).map_err(|failure| {
            Error::failed(format!(
                "evaluation: after {} result{}: {}",
                failure.outputs,
                if failure.outputs == 1 { "" } else { "s" },
                failure.message
            ))
        })?;
        let json = RawValue::from_string(results.json)
            .map_err(|error| Error::failed(format!("the results are not JSON: {error}")))?;
        Ok(Output {
            results: json,
            count: results.count,
            truncated: results.truncated,
        })
    }
}

toolgate_plugin::export!(JsonQuery);
