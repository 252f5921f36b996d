//! What must hold for every input, whatever it is: one file for each parser, and slow references beside them.
//! Called by the fuzz targets with what the fuzzer makes up, and by the tests with the corpora.
//! Must not touch: anything of the host that is not public.

pub(crate) mod config;
mod keys;
mod pace;
pub(crate) mod paths;
mod plain_glob;
mod plain_rule;
mod plain_shell;
mod plain_walk;
pub(crate) mod rules;
pub(crate) mod shell;
pub(crate) mod tree;
pub(crate) mod urls;

/// What separates the parts of an input: the unit separator, which no part needs.
const SEPARATOR: char = '\u{1f}';
