//! The manifest of a project, `.agents/env.yaml` or `env.json`: which environment variables it needs.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::document::yaml;
use super::file::{self, Owner};
use super::key_path::KeyPath;
use super::layer::whole;
use super::problem::Problem;
use super::schema::Config;

/// The names a manifest may have; there is at most one.
pub(super) const MANIFESTS: [&str; 2] = ["env.yaml", "env.json"];

/// Keys that are not named here are for whoever runs the agent.
#[derive(Deserialize)]
struct Manifest {
    #[serde(default)]
    version: u64,
    #[serde(default)]
    env: Vec<Variable>,
}

#[derive(Deserialize)]
struct Variable {
    #[serde(default)]
    name: String,
    #[serde(default)]
    required: bool,
    default: Option<Value>,
    #[serde(default)]
    description: String,
}

/// What is wrong with the manifest of a directory, and which variables it misses: required, without
/// a default, and unset or empty.
pub(super) fn check(directory: &Path) -> Vec<Problem> {
    let present: Vec<PathBuf> = MANIFESTS
        .iter()
        .map(|name| directory.join(name))
        .filter(|path| path.symlink_metadata().is_ok())
        .collect();
    let path = match present.as_slice() {
        [] => return Vec::new(),
        [path] => path,
        [_, second, ..] => {
            let text = format!("there is {} too; keep one of them", MANIFESTS[0]);
            return vec![whole(second, text)];
        }
    };
    match read(path) {
        Ok(manifest) => missing(path, &manifest),
        Err(reason) => vec![whole(path, reason)],
    }
}

/// Fields of the configuration that name variables of the environment, each with the variable, which
/// the manifest of a directory does not declare; and the manifest. Nothing where there is none.
pub(super) fn undeclared(directory: &Path, config: &Config) -> Vec<(String, String, PathBuf)> {
    let Some((path, manifest)) = MANIFESTS.iter().find_map(|name| {
        let path = directory.join(name);
        read(&path).ok().map(|manifest| (path, manifest))
    }) else {
        return Vec::new();
    };
    let mut references = Vec::new();
    collect(
        &serde_json::to_value(config).unwrap_or_default(),
        &KeyPath::default(),
        &mut references,
    );
    let declared = |name: &String| manifest.env.iter().any(|variable| variable.name == *name);
    references
        .into_iter()
        .filter(|(_, name)| !declared(name))
        .map(|(place, name)| (place.to_string(), name, path.clone()))
        .collect()
}

/// Every field whose name says that it names a variable.
fn collect(value: &Value, place: &KeyPath, found: &mut Vec<(KeyPath, String)>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let names_one = name.ends_with("_env") || matches!(name.as_str(), "basic_env_user" | "basic_env_pass");
                match member {
                    Value::String(variable) if names_one && !variable.is_empty() => {
                        found.push((place.key(name), variable.clone()));
                    }
                    member => collect(member, &place.key(name), found),
                }
            }
        }
        Value::Array(list) => {
            for (index, item) in list.iter().enumerate() {
                collect(item, &place.index(index), found);
            }
        }
        _ => {}
    }
}

fn read(path: &Path) -> Result<Manifest, String> {
    let text = file::read(path, Owner::Ours)
        .map_err(|reason| format!("cannot be read: {reason}"))?
        .text;
    let is_json = path.extension().is_some_and(|extension| extension == "json");
    let value = if is_json {
        crate::json::parse(&text).map_err(|error| error.to_string())?
    } else {
        yaml::parse(&text).map_err(|error| match error.line {
            Some(line) => format!("line {line}: {}", error.reason),
            None => error.reason,
        })?
    };
    let manifest: Manifest = serde_json::from_value(value).map_err(|error| error.to_string())?;
    if manifest.version > 1 {
        return Err(format!(
            "version {} is not known; this build reads version 1",
            manifest.version
        ));
    }
    let is_start = |char: char| char.is_ascii_alphabetic() || char == '_';
    for (index, variable) in manifest.env.iter().enumerate() {
        let name = &variable.name;
        if !name.starts_with(is_start) || !name.chars().all(|char| is_start(char) || char.is_ascii_digit()) {
            return Err(format!("env[{index}].name: {name:?} is no name of a variable"));
        }
        if manifest.env[..index].iter().any(|other| other.name == *name) {
            return Err(format!("env[{index}].name: {name:?} is given twice"));
        }
    }
    Ok(manifest)
}

fn missing(path: &Path, manifest: &Manifest) -> Vec<Problem> {
    let is_missing = |variable: &&Variable| {
        let value = std::env::var_os(&variable.name);
        variable.required && variable.default.is_none() && value.is_none_or(|value| value.is_empty())
    };
    let problem = |variable: &Variable| {
        let what = match variable.description.trim() {
            "" => String::new(),
            text => format!(": {text}"),
        };
        Problem {
            key: variable.name.clone(),
            ..whole(path, format!("this environment variable is required and not set{what}"))
        }
    };
    manifest.env.iter().filter(is_missing).map(problem).collect()
}
