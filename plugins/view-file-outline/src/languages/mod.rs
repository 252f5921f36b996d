//! What lives here: the languages that are parsed, each as data: grammar, extensions, and what its nodes mean.
//! What may call it: the outline, and the texts that list what is supported.
//! What it must not touch: source text; a table only names kinds and fields of a grammar.

mod c;
mod conditional;
mod cpp;
mod go;
mod java;
mod javascript;
mod python;
mod rust;
mod table;
mod typescript;

use tree_sitter_language::LanguageFn;

pub(crate) use table::{Chain, Node, Part, Table};

/// A language with a grammar.
pub(crate) struct Language {
    /// As results and messages call it.
    pub(crate) name: &'static str,
    /// File name extensions, lower case, without the dot.
    pub(crate) extensions: &'static [&'static str],
    /// The parser's tables.
    pub(crate) grammar: LanguageFn,
    /// What the nodes of the grammar mean to an outline.
    pub(crate) table: &'static Table,
    /// Blanks out what is not for this language, where files hold more than one.
    pub(crate) own_part: Option<fn(&str) -> String>,
}

const C: Language = Language {
    name: "C",
    extensions: &["c", "h"],
    grammar: tree_sitter_c::LANGUAGE,
    table: &c::TABLE,
    own_part: Some(conditional::for_c),
};

const CPP: Language = Language {
    name: "C++",
    extensions: &["cc", "cpp", "cxx", "h", "hh", "hpp"],
    grammar: tree_sitter_cpp::LANGUAGE,
    table: &cpp::TABLE,
    own_part: Some(conditional::for_cpp),
};

const GO: Language = Language {
    name: "Go",
    extensions: &["go"],
    grammar: tree_sitter_go::LANGUAGE,
    table: &go::TABLE,
    own_part: None,
};

const JAVA: Language = Language {
    name: "Java",
    extensions: &["java"],
    grammar: tree_sitter_java::LANGUAGE,
    table: &java::TABLE,
    own_part: None,
};

const JAVASCRIPT: Language = Language {
    name: "JavaScript",
    extensions: &["cjs", "js", "jsx", "mjs"],
    grammar: tree_sitter_javascript::LANGUAGE,
    table: &javascript::TABLE,
    own_part: None,
};

const PYTHON: Language = Language {
    name: "Python",
    extensions: &["py"],
    grammar: tree_sitter_python::LANGUAGE,
    table: &python::TABLE,
    own_part: None,
};

const RUST: Language = Language {
    name: "Rust",
    extensions: &["rs"],
    grammar: tree_sitter_rust::LANGUAGE,
    table: &rust::TABLE,
    own_part: None,
};

const TYPESCRIPT: Language = Language {
    name: "TypeScript",
    extensions: &["ts"],
    grammar: tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
    table: &typescript::TABLE,
    own_part: None,
};

/// A grammar of its own: with JSX, `<T>value` can no longer be a cast.
const TSX: Language = Language {
    name: "TypeScript",
    extensions: &["tsx"],
    grammar: tree_sitter_typescript::LANGUAGE_TSX,
    table: &typescript::TABLE,
    own_part: None,
};

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// All of them, in the order in which messages list them and candidates are tried: `.h` is C, and
/// C++ if it is not C.
pub(crate) static LANGUAGES: [Language; 9] = [C, CPP, GO, JAVA, JAVASCRIPT, PYTHON, RUST, TYPESCRIPT, TSX];

/// The languages that a file with this extension (lower case, no dot) can be in.
pub(crate) fn by_extension(extension: &str) -> impl Iterator<Item = &'static Language> {
    LANGUAGES
        .iter()
        .filter(move |language| language.extensions.contains(&extension))
}
