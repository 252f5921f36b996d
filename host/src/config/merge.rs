//! Layers over one another: which value holds, and where it came from.

use std::collections::BTreeMap;

use serde_json::Value;

use super::clean::{Leaf, get, put};
use super::key_path::KeyPath;
use super::keys::{Merge, Narrow};
use super::layer::Layer;
use super::narrow::admit;
use super::origin::{Origin, Origins};
use super::problem::Remark;
use super::redact::shown;
use super::report::Row;
use super::schema::Config;

/// A value in force.
#[derive(Debug, Clone)]
pub(super) enum Held {
    /// One value from one place.
    One(Value, Origin),
    /// A list whose entries have a place each.
    Many(Vec<(Value, Origin)>),
}

/// Everything that the layers so far say.
#[derive(Debug)]
pub(super) struct Merged {
    defaults: Value,
    pub(super) held: BTreeMap<KeyPath, Held>,
}

impl Merged {
    pub(super) fn new() -> Self {
        let mut defaults = serde_json::to_value(Config::default()).unwrap_or_default();
        // Not set in the types, since an older key may say it too.
        put(&mut defaults, &KeyPath::of("permissions.plan_mode"), Value::from("off"));
        Self {
            defaults,
            held: BTreeMap::new(),
        }
    }

    /// Lays a trusted layer over what is there.
    pub(super) fn apply(&mut self, layer: &Layer) {
        for leaf in &layer.leaves {
            self.take(leaf, layer);
        }
    }

    /// Lays a layer over what is there as far as it takes away only. Returns
    /// a remark and a row for everything passed over.
    pub(super) fn narrow(&mut self, layer: &Layer) -> (Vec<Remark>, Vec<Row>) {
        let (mut passed_over, mut wanted) = (Vec::new(), Vec::new());
        for leaf in &layer.leaves {
            let admitted = if leaf.key.merge == Merge::Append && leaf.key.narrow != Narrow::Adds && self.has_all(leaf) {
                Ok(())
            } else {
                admit(leaf.key.narrow, self.now(leaf).as_ref(), &leaf.value)
            };
            match admitted {
                Ok(()) => self.take(leaf, layer),
                Err(reason) => {
                    let (origin, key) = (layer.origin(&leaf.path), leaf.path.to_string());
                    wanted.push(Row {
                        key: key.clone(),
                        value: shown(&leaf.path, &leaf.value),
                        origin: origin.clone(),
                    });
                    passed_over.push(Remark {
                        origin,
                        key,
                        text: format!("passed over, since this file is not trusted: {reason}"),
                    });
                }
            }
        }
        (passed_over, wanted)
    }

    fn take(&mut self, leaf: &Leaf, layer: &Layer) {
        match (&leaf.value, leaf.key.merge) {
            (Value::Array(entries), Merge::Append) => {
                let place = self
                    .held
                    .entry(leaf.path.clone())
                    .or_insert_with(|| Held::Many(Vec::new()));
                if let Held::Many(list) = place {
                    for (index, entry) in entries.iter().enumerate() {
                        if !list.iter().any(|(known, _)| known == entry) {
                            list.push((entry.clone(), layer.origin(&leaf.path.index(index))));
                        }
                    }
                }
            }
            (value, _) => {
                let held = Held::One(value.clone(), layer.origin(&leaf.path));
                self.held.insert(leaf.path.clone(), held);
            }
        }
    }

    fn has_all(&self, leaf: &Leaf) -> bool {
        let known = |entry: &Value| match self.held.get(&leaf.path) {
            Some(Held::Many(list)) => list.iter().any(|(known, _)| known == entry),
            _ => false,
        };
        leaf.value.as_array().is_some_and(|entries| entries.iter().all(known))
    }

    /// The value that a leaf would replace.
    fn now(&self, leaf: &Leaf) -> Option<Value> {
        let says = |value: &Value| leaf.key.narrow != Narrow::AtMostUnlessZero || value.as_f64() > Some(0.0);
        let held = |path: &KeyPath| match self.held.get(path) {
            Some(Held::One(value, _)) => Some(value.clone()),
            _ => None,
        };
        let global = || {
            // What holds for a tool of its own is no more than what holds for all.
            let field = leaf.key.pattern.strip_prefix("tool_output.per_tool.*.")?;
            let path = KeyPath::of("tool_output").key(field);
            held(&path).filter(says).or_else(|| get(&self.defaults, &path).cloned())
        };
        held(&leaf.path)
            .filter(says)
            .or_else(|| get(&self.defaults, &leaf.path).cloned())
            .or_else(global)
    }

    /// The configuration, and the origin of each value.
    pub(super) fn finish(&self) -> Result<(Config, Origins), String> {
        let mut whole = Value::Object(serde_json::Map::new());
        let mut origins = Origins::default();
        for (path, held) in &self.held {
            let value = match held {
                Held::One(value, origin) => {
                    origins.note(path, origin.clone());
                    value.clone()
                }
                Held::Many(list) => {
                    for (index, (_, origin)) in list.iter().enumerate() {
                        origins.note(&path.index(index), origin.clone());
                    }
                    Value::Array(list.iter().map(|(value, _)| value.clone()).collect())
                }
            };
            put(&mut whole, path, value);
        }
        let config = serde_json::from_value(whole).map_err(|error| error.to_string())?;
        Ok((config, origins))
    }
}
