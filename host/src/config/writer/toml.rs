//! Edits TOML text: comments, order and blanks stay.

use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::{Edited, Written, union};
use crate::config::schema::AllowPath;
use crate::scope::Access;

/// Adds a text to `section.list`.
pub(super) fn append(text: &str, section: &str, list: &str, entry: &str) -> Edited {
    let mut document = parse(text)?;
    let array = section_of(&mut document, section)?
        .entry(list)
        .or_insert_with(|| Item::Value(Value::Array(Array::new())))
        .as_array_mut()
        .ok_or_else(|| format!("{section}.{list} is no list of values"))?;
    if array.iter().any(|known| known.as_str() == Some(entry)) {
        return Ok(None);
    }
    push(array, entry.into());
    Ok(Some((document.to_string(), Written::Added)))
}

/// Adds an entry to `path_scope.allow_paths`, or widens one.
pub(super) fn allow_path(text: &str, pattern: &str, access: Access) -> Edited {
    let mut document = parse(text)?;
    let item = section_of(&mut document, "path_scope")?
        .entry("allow_paths")
        .or_insert_with(|| Item::Value(Value::Array(Array::new())));
    let known: Vec<&mut dyn TableLike> = match item {
        Item::ArrayOfTables(tables) => tables.iter_mut().map(|table| table as &mut dyn TableLike).collect(),
        Item::Value(Value::Array(array)) => array
            .iter_mut()
            .filter_map(Value::as_inline_table_mut)
            .map(|table| table as &mut dyn TableLike)
            .collect(),
        _ => return Err("path_scope.allow_paths is no list".to_owned()),
    };
    for entry in known {
        let text = |key: &str| entry.get(key).and_then(Item::as_str).map(str::to_owned);
        if text("path").as_deref() != Some(pattern) {
            continue;
        }
        let parsed = AllowPath {
            path: pattern.to_owned(),
            access: text("access").unwrap_or_default(),
            mode: text("mode"),
        };
        let Some(all) = union(parsed.parsed_access()?, access) else {
            return Ok(None);
        };
        for key in ["access", "mode"] {
            if let Some(value) = entry.get_mut(key).and_then(Item::as_value_mut) {
                let decor = value.decor().clone();
                *value = all.to_string().into();
                *value.decor_mut() = decor;
            }
        }
        return Ok(Some((document.to_string(), Written::Widened)));
    }
    let fields = [("path", pattern.to_owned()), ("access", access.to_string())];
    match item {
        Item::ArrayOfTables(tables) => push_table(tables, fields),
        Item::Value(Value::Array(array)) => {
            let mut entry = InlineTable::new();
            for (key, value) in fields {
                entry.insert(key, value.into());
            }
            push(array, entry.into());
        }
        _ => {}
    }
    Ok(Some((document.to_string(), Written::Added)))
}

fn parse(text: &str) -> Result<DocumentMut, String> {
    text.parse().map_err(|error: toml_edit::TomlError| error.to_string())
}

/// A section, in whatever form it is written; a new one at the end of the file.
fn section_of<'a>(document: &'a mut DocumentMut, name: &str) -> Result<&'a mut dyn TableLike, String> {
    if !document.contains_key(name) {
        // Comments at the end of the file belong to what is there already.
        let rest = document.trailing().as_str().unwrap_or("").to_owned();
        let gap = if document.is_empty() { "" } else { "\n" };
        let mut table = Table::new();
        table.decor_mut().set_prefix(format!("{rest}{gap}"));
        document.set_trailing("");
        document.insert(name, Item::Table(table));
    }
    document[name]
        .as_table_like_mut()
        .ok_or_else(|| format!("{name} is no table"))
}

/// Adds to the end, on a line of its own where the entries before have theirs. Comments at the
/// end stay with the entries they follow.
fn push(array: &mut Array, mut value: Value) {
    let prefix = |value: &Value| {
        value
            .decor()
            .prefix()
            .and_then(|raw| raw.as_str())
            .unwrap_or("")
            .to_owned()
    };
    let indent = match array.iter().last().map(prefix) {
        None => return array.push(value),
        Some(prefix) => prefix.rfind('\n').map(|at| prefix[at..].to_owned()),
    };
    let Some(indent) = indent else {
        return array.push(value);
    };
    let mut rest = array.trailing().as_str().unwrap_or("").to_owned();
    if !array.trailing_comma()
        && let Some(last) = array.iter_mut().last()
    {
        let suffix = last.decor().suffix().and_then(|raw| raw.as_str()).unwrap_or("");
        rest = format!("{suffix}{rest}");
        last.decor_mut().set_suffix("");
    }
    let end = rest.rfind('\n').map_or(rest.as_str(), |at| &rest[at..]).to_owned();
    let end = if end.starts_with('\n') { end } else { "\n".to_owned() };
    value.decor_mut().set_prefix(format!("{}{indent}", rest.trim_end()));
    array.push_formatted(value);
    array.set_trailing_comma(true);
    array.set_trailing(end);
}

fn push_table(tables: &mut ArrayOfTables, fields: [(&str, String); 2]) {
    let mut entry = Table::new();
    for (key, value) in fields {
        entry.insert(key, toml_edit::value(value));
    }
    tables.push(entry);
}
