//! The rows of `descriptions.json`.

use std::collections::BTreeMap;

use serde::Deserialize;
use toolgate::HostBuilder;
use toolgate::config::PlanMode;
use toolgate_tests::rig::{builder, every_tool};
use toolgate_tests::vectors::load_table;

use crate::speakers::{REQUIRED, Speakers, everything};
use crate::{names, verdict};

/// Texts by the tool that has or lacks them; `*` is every tool.
type Texts = BTreeMap<String, Vec<String>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    #[serde(default)]
    #[allow(dead_code, reason = "for the reader of the table")]
    note: Option<String>,
    #[serde(default)]
    catalog: Catalog,
    #[serde(default)]
    with: Vec<String>,
    /// `*`: all but the tool that speaks.
    #[serde(default)]
    without: Vec<String>,
    /// `permissions.plan_mode`.
    #[serde(default)]
    plan: Plan,
    #[serde(default)]
    contains: Texts,
    #[serde(default)]
    lacks: Texts,
    /// Words that nobody says.
    #[serde(default)]
    silent_on: Vec<String>,
    /// `tools.disable`.
    disable: Option<Vec<String>>,
    #[serde(default)]
    fails: Vec<String>,
    #[serde(default)]
    gone: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Catalog {
    #[default]
    Built,
    Unset,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Plan {
    Advisory,
    /// The mode in which most is said of other tools.
    #[default]
    Required,
}

impl Plan {
    /// The mode that components are told.
    fn spoken(self) -> &'static str {
        match self {
            Self::Advisory => "ask plan=advisory",
            Self::Required => REQUIRED,
        }
    }
}

/// The tools that a row may speak of, in the catalog that it describes.
fn catalogs(row: &Row, tools: &[String]) -> Vec<Option<Vec<String>>> {
    if let Catalog::Unset = row.catalog {
        return vec![None];
    }
    if row.without.iter().any(|name| name == "*") {
        return tools.iter().map(|name| Some(vec![name.clone()])).collect();
    }
    let kept = tools.iter().filter(|name| !row.without.contains(name));
    vec![Some(kept.chain(&row.with).cloned().collect())]
}

fn run(row: &Row, speakers: &Speakers, tools: &[String]) -> Result<(), String> {
    if let Some(disable) = &row.disable {
        return run_disable(row, disable, tools);
    }
    for catalog in catalogs(row, tools) {
        let said = speakers.say_in(row.plan.spoken(), catalog.as_deref());
        for (tool, texts) in &row.contains {
            let definition = said.iter().find(|definition| definition.name == *tool);
            let definition = definition.ok_or_else(|| format!("{tool} is not there"))?;
            let description = definition.description.to_lowercase();
            if let Some(text) = texts.iter().find(|text| !description.contains(&text.to_lowercase())) {
                return Err(format!("{tool} lacks {text:?}: {}", definition.description));
            }
        }
        for definition in &said {
            let text = everything(definition).to_lowercase();
            let banned = row.lacks.get(&definition.name).into_iter().chain(row.lacks.get("*"));
            if let Some(found) = banned.flatten().find(|banned| text.contains(&banned.to_lowercase())) {
                return Err(format!("{} contains {found:?}: {text}", definition.name));
            }
            if let Some(word) = row.silent_on.iter().find(|word| names(&text, word)) {
                return Err(format!("{} says {word:?}: {text}", definition.name));
            }
        }
    }
    Ok(())
}

fn disabling(root: &std::path::Path, names: &[String]) -> HostBuilder {
    let mut config = every_tool();
    config.tools.disable = names.to_vec();
    config.permissions.plan_mode = Some(PlanMode::Advisory);
    builder(root).config(config).agents_dir(root)
}

fn run_disable(row: &Row, disable: &[String], tools: &[String]) -> Result<(), String> {
    let root = tempfile::tempdir().map_err(|error| error.to_string())?;
    let host = match disabling(root.path(), disable).build() {
        Ok(_) if !row.fails.is_empty() => return Err("the host starts, but must not".to_owned()),
        Err(error) if row.fails.is_empty() => return Err(format!("the host does not start: {error}")),
        Err(error) => {
            let error = error.to_string();
            let missing = row.fails.iter().find(|part| !error.contains(*part));
            return missing.map_or(Ok(()), |part| Err(format!("the error lacks {part:?}: {error}")));
        }
        Ok(host) => host,
    };
    let left: Vec<_> = host.tools().into_iter().map(|tool| tool.name).collect();
    let expected: Vec<_> = tools.iter().filter(|name| !row.gone.contains(name)).cloned().collect();
    if left == expected {
        Ok(())
    } else {
        Err(format!("left are {left:?}"))
    }
}

#[test]
fn descriptions() {
    let speakers = Speakers::new();
    let tools = speakers.tools();
    let rows = load_table::<Row>("descriptions").rows;
    let failures: Vec<_> = rows
        .iter()
        .filter_map(|row| {
            run(row, &speakers, &tools)
                .err()
                .map(|error| format!("{}: {error}", row.id))
        })
        .collect();
    verdict("descriptions", rows.len(), &failures);
}
