//! What is said of a file that gets no outline.

use toolgate_plugin::{Error, ErrorKind};

use crate::languages::LANGUAGES;
use crate::problem::Problem;
use crate::scan::SCANNED;

/// What to do instead; names the tool for it only if there is one.
fn instead(can_read_file: bool) -> &'static str {
    if can_read_file {
        "read its lines instead, with read_file"
    } else {
        "read its lines instead"
    }
}

/// The languages of which there are outlines, for example `C (.c, .h), Go (.go)`.
pub(crate) fn parsed() -> String {
    let mut names: Vec<(&str, Vec<&str>)> = Vec::new();
    for language in &LANGUAGES {
        match names.iter_mut().find(|(name, _)| *name == language.name) {
            Some((_, extensions)) => extensions.extend(language.extensions),
            None => names.push((language.name, language.extensions.to_vec())),
        }
    }
    let shown: Vec<String> = names
        .iter()
        .map(|(name, extensions)| format!("{name} ({})", dotted(extensions)))
        .collect();
    shown.join(", ")
}

/// The languages that are scanned, by name.
pub(crate) fn scanned_languages() -> String {
    let names: Vec<&str> = SCANNED.iter().map(|language| language.name).collect();
    names.join(" and ")
}

/// The extensions of the languages that are scanned, sorted.
pub(crate) fn scanned() -> String {
    let mut extensions: Vec<&str> = SCANNED
        .iter()
        .flat_map(|language| language.extensions)
        .copied()
        .collect();
    extensions.sort_unstable();
    dotted(&extensions)
}

fn dotted(extensions: &[&str]) -> String {
    let dotted: Vec<String> = extensions.iter().map(|extension| format!(".{extension}")).collect();
    dotted.join(", ")
}

/// There is no outline of such files.
pub(crate) fn unsupported(path: &str, extension: Option<&str>, can_read_file: bool) -> Error {
    let what = match extension {
        Some(extension) => format!("files with the extension \".{extension}\""),
        None => "files whose name has no extension".to_owned(),
    };
    Error::invalid_arguments(format!(
        "{path}: there is no outline of {what}. Parsed are {}; scanned line by line are {}. For this file, {}",
        parsed(),
        scanned(),
        instead(can_read_file)
    ))
}

/// The file is not text.
pub(crate) fn binary(path: &str, size: u64) -> Error {
    Error::failed(format!("{path}: a binary file ({size} bytes) has no outline"))
}

/// The file is larger than what is parsed within the memory of a call.
pub(crate) fn too_large(path: &str, size: u64, limit: u64, can_read_file: bool) -> Error {
    Error::limit(format!(
        "{path}: {size} bytes are more than the {limit} bytes of which an outline is made; {}",
        instead(can_read_file)
    ))
}

/// The text does not parse.
pub(crate) fn unparsed(base_name: &str, language: &str, problem: &Problem, can_read_file: bool) -> Error {
    let cause = match language {
        "C" | "C++" => " (often the cause is a macro, which is not expanded)",
        _ => "",
    };
    Error::new(
        ErrorKind::Failed,
        format!(
            "{base_name}:{}:{}: {}: this does not parse as {language}{cause}, and there is no outline of a part of a \
             file; {}",
            problem.line,
            problem.column,
            problem.message,
            instead(can_read_file)
        ),
    )
}
