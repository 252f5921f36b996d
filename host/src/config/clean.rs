//! Takes out of a value what cannot be used, so that everything else can be checked as well.

use serde_json::Value;

use super::check::{Complaint, Severity};
use super::key_path::{KeyPath, Step};
use super::keys::{self, Key};

/// One value of a layer, by its key.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    pub(super) path: KeyPath,
    pub(super) key: &'static Key,
    pub(super) value: Value,
}

/// Removes what was complained about, what is not ours and what says nothing.
pub(super) fn prune(value: &mut Value, complaints: &[Complaint]) {
    for complaint in complaints {
        match complaint.severity {
            Severity::Error => remove(
                value,
                &keys::holder(&complaint.path).unwrap_or_else(|| complaint.path.clone()),
            ),
            Severity::PassedOver => remove(value, &complaint.path),
            Severity::Remark => {}
        }
    }
    for (foreign, _) in keys::FOREIGN.iter().chain(&[("$schema", "")]) {
        remove(value, &KeyPath::of(foreign));
    }
    for key in keys::EMPTY_IS_UNSET {
        let path = KeyPath::of(key);
        if get(value, &path).is_some_and(|value| value == "") {
            remove(value, &path);
        }
    }
    // The older spelling says the same; from here on there is one.
    let (old, new) = (
        KeyPath::of("permissions.require_plan_artifact"),
        KeyPath::of("permissions.plan_mode"),
    );
    let is_required = get(value, &old) == Some(&Value::Bool(true));
    let says_off = get(value, &new).is_some_and(|mode| mode == "off");
    if !(is_required && says_off) {
        remove(value, &old);
        if is_required && get(value, &new).is_none() {
            put(value, &new, Value::String("required".to_owned()));
        }
    }
}

/// The values of all keys.
pub(super) fn leaves(value: Value) -> Vec<Leaf> {
    let mut all = Vec::new();
    collect(value, KeyPath::default(), &mut all);
    all
}

fn collect(value: Value, path: KeyPath, all: &mut Vec<Leaf>) {
    if let Some(key) = keys::find(&path) {
        all.push(Leaf { path, key, value });
    } else if let Value::Object(members) = value {
        for (name, member) in members {
            collect(member, path.key(&name), all);
        }
    }
}

/// The part of a value at a path.
pub(super) fn get<'a>(value: &'a Value, path: &KeyPath) -> Option<&'a Value> {
    path.steps().iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.get(index),
    })
}

/// Puts a value at a path of keys, making the objects on the way.
pub(super) fn put(whole: &mut Value, path: &KeyPath, value: Value) {
    let mut place = whole;
    for step in path.steps() {
        let Step::Key(key) = step else { return };
        if !place.is_object() {
            *place = Value::Object(serde_json::Map::new());
        }
        place = &mut place[key.as_str()];
    }
    *place = value;
}

fn remove(whole: &mut Value, path: &KeyPath) {
    let Some((Step::Key(last), before)) = path.steps().split_last() else {
        return;
    };
    let holder = before.iter().try_fold(whole, |value, step| match step {
        Step::Key(key) => value.get_mut(key),
        Step::Index(index) => value.get_mut(index),
    });
    if let Some(Value::Object(members)) = holder {
        members.remove(last);
    }
}
