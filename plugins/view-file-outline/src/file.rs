//! Which kind of file it is, and what follows from that.

use toolgate_plugin::Error;

use crate::languages::{self, Language};
use crate::problem::Problem;
use crate::scan::{self, Scanned};
use crate::{outline, parse, refusal};

/// How an outline of a file is made.
#[derive(Debug)]
pub(crate) enum Kind {
    /// By parsing it as the first of these that accepts it; there is at least one.
    Parsed(Vec<&'static Language>),
    /// Line by line.
    Scanned(&'static Scanned),
}

/// An outline that is not cut to size yet.
#[derive(Debug)]
pub(crate) struct Made {
    /// The language of the file.
    pub(crate) language: &'static str,
    /// `parsed` or `heuristic`.
    pub(crate) analysis: &'static str,
    /// The outline.
    pub(crate) text: String,
    /// What a reader must know of it.
    pub(crate) note: Option<&'static str>,
}

/// The last part of a path.
pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// What follows the last dot of a name, in lower case; `None` if there is no dot, or nothing after
/// it. The dot of a hidden file counts, so `.bash` is Shell.
fn extension(path: &str) -> Option<String> {
    let (_, extension) = base_name(path).rsplit_once('.')?;
    (!extension.is_empty()).then(|| extension.to_lowercase())
}

impl Kind {
    /// The kind of the file at this resolved path, by its extension.
    ///
    /// # Errors
    ///
    /// No outline is made of such files.
    pub(crate) fn of(path: &str, can_read_file: bool) -> Result<Self, Error> {
        let extension = extension(path);
        let wanted = extension.as_deref().unwrap_or_default();
        let parsed: Vec<_> = languages::by_extension(wanted).collect();
        if !parsed.is_empty() {
            return Ok(Self::Parsed(parsed));
        }
        scan::by_extension(wanted)
            .map(Self::Scanned)
            .ok_or_else(|| refusal::unsupported(path, extension.as_deref(), can_read_file))
    }

    /// The outline of a file with this text.
    ///
    /// # Errors
    ///
    /// It does not parse.
    pub(crate) fn outline(&self, source: &str, base_name: &str, can_read_file: bool) -> Result<Made, Error> {
        match self {
            Self::Scanned(language) => Ok(Made {
                language: language.name,
                analysis: "heuristic",
                text: language.outline(source),
                note: Some(scan::NOTE),
            }),
            Self::Parsed(languages) => parsed(languages, source)
                .map_err(|(language, problem)| refusal::unparsed(base_name, language, &problem, can_read_file)),
        }
    }
}

/// Tries the languages in turn. If none accepts the text, the one that understood most of it says
/// why.
fn parsed(languages: &[&'static Language], source: &str) -> Result<Made, (&'static str, Problem)> {
    let mut furthest: Option<(&'static str, Problem)> = None;
    for language in languages {
        let own_part = language.own_part.map(|of| of(source));
        let source = own_part.as_deref().unwrap_or(source);
        match of_language(language, source) {
            Ok(text) => {
                return Ok(Made {
                    language: language.name,
                    analysis: "parsed",
                    text,
                    note: None,
                });
            }
            Err(problem) => {
                let place = |problem: &Problem| (problem.line, problem.column);
                if furthest
                    .as_ref()
                    .is_none_or(|(_, other)| place(&problem) > place(other))
                {
                    furthest = Some((language.name, problem));
                }
            }
        }
    }
    Err(furthest.unwrap_or_else(|| ("text", Problem::at_start("no language to parse it as"))))
}

fn of_language(language: &'static Language, source: &str) -> Result<String, Problem> {
    let tree = parse::parse(source, language)?;
    outline::declarations(&tree, source, language.table).map(|found| outline::text(&found))
}
