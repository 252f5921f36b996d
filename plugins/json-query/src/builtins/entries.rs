//! Objects as lists of `{"key": …, "value": …}`.

use jaq_core::ValT;
use jaq_core::native::v;

use super::{Native, plain};
use crate::value::{Map, Text, Val, ValR, error, write};

/// Names under which an entry may give its key, and its value.
const KEYS: [&str; 6] = ["key", "k", "name", "Name", "Key", "K"];
const VALUES: [&str; 4] = ["value", "v", "Value", "V"];

pub(super) fn natives() -> Vec<Native> {
    vec![
        ("to_entries", v(0), |cv| plain(cv, to_entries)),
        ("from_entries", v(0), |cv| plain(cv, from_entries)),
    ]
}

fn to_entries(value: Val) -> ValR {
    let entry = |(key, value)| Val::fields([("key", key), ("value", value)]);
    value.key_values().map(|field| field.map(entry)).collect()
}

fn from_entries(value: Val) -> ValR {
    let mut map = Map::default();
    for entry in value.values() {
        let Val::Obj(entry) = entry? else {
            return Err(error("every entry must be an object with the fields key and value"));
        };
        let field = |names: &[&str]| {
            let mut fields = names.iter().filter_map(|name| entry.get_str(name));
            fields.find(|value| !matches!(value, Val::Null)).cloned()
        };
        let key = match field(&KEYS) {
            Some(Val::Str(key)) => key,
            Some(Val::Arr(_) | Val::Obj(_)) => return Err(error("the key of an entry must be a string")),
            other => {
                let mut json = String::new();
                // Neither an array nor an object, so it is not nested.
                let _ = write(&other.unwrap_or_default(), &mut json);
                Text::from(json)
            }
        };
        map.insert(key, field(&VALUES).unwrap_or_default());
    }
    Ok(Val::object(map))
}
