//! Files, as any Rust program reaches them.

use std::fs;
use std::io::{Read, Result, Seek, SeekFrom, Write};

use serde_json::{Value, json};

/// Content and length of a file.
pub(crate) fn read(path: &str) -> Result<Value> {
    let bytes = fs::read(path)?;
    let length = fs::metadata(path)?.len();
    Ok(json!({"content": String::from_utf8_lossy(&bytes), "bytes": length}))
}

/// Names below a directory, directories with a slash, and what each one holds.
pub(crate) fn list(path: &str) -> Result<Value> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let slash = if entry.file_type()?.is_dir() { "/" } else { "" };
        entries.push(format!("{}{slash}", entry.file_name().to_string_lossy()));
    }
    entries.sort();
    Ok(json!({"entries": entries}))
}

/// Creates or truncates, writes, appends, seeks, and reads again.
pub(crate) fn write(path: &str, content: &str) -> Result<Value> {
    let mut file = fs::OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(true)
        .open(path)?;
    file.write_all(content.as_bytes())?;
    file.sync_all()?;
    file.seek(SeekFrom::Start(0))?;
    let mut again = String::new();
    file.read_to_string(&mut again)?;
    fs::OpenOptions::new().append(true).open(path)?.write_all(b"!")?;
    Ok(json!({"again": again, "bytes": fs::metadata(path)?.len()}))
}
