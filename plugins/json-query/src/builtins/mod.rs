//! What lives here: the functions of the query language that the engine does not bring along.
//! What may call it: the compiler of queries.
//! What it must not touch: clock, environment, files, modules — nothing but its arguments.

mod collections;
mod dates;
mod entries;
mod formats;
mod math;
mod numbers;
mod regex;
mod sorting;
mod streams;
mod strings;
mod walk;

use jaq_core::data::JustLut;
use jaq_core::load::parse::Def;
use jaq_core::native::{self, Fun};
use jaq_core::{Bind, Cv, RunPtr};

use crate::value::{Val, ValR};

/// What queries run on: values, and no data beside them.
pub(crate) type Data = JustLut<Val>;

/// A function implemented here: name, arguments, implementation.
type Native = native::Filter<RunPtr<Data>>;

/// Definitions of the engine that are replaced, because jq works differently or because they are
/// many times faster as native functions.
const REPLACED: [&str; 7] = [
    "del",
    "delpaths",
    "from_entries",
    "join",
    "to_entries",
    "tostring",
    "walk",
];

/// All native functions; of several with one name and number of arguments the first counts.
pub(crate) fn natives() -> impl Iterator<Item = Fun<Data>> {
    let own = [
        collections::natives(),
        dates::natives(),
        entries::natives(),
        formats::natives(),
        math::natives(),
        numbers::natives(),
        regex::natives(),
        sorting::natives(),
        streams::natives(),
        strings::natives(),
        walk::natives(),
    ];
    let own = own.into_iter().flatten().map(|own| native::run::<Data>(own));
    own.chain(jaq_core::funs())
}

/// All functions that are defined in the language itself.
pub(crate) fn definitions() -> impl Iterator<Item = Def<&'static str>> {
    let own = jaq_core::load::parse(include_str!("definitions.jq"), |parser| parser.defs());
    let engine = jaq_core::defs().filter(|def| !REPLACED.contains(&def.name));
    engine.chain(own.unwrap_or_default())
}

/// The arguments of a function that takes one filter.
fn filter() -> Box<[Bind]> {
    Box::new([Bind::Fun(())])
}

/// Runs a function of the input alone.
fn plain<'a>(cv: Cv<'a, Data>, function: impl FnOnce(Val) -> ValR) -> jaq_core::ValXs<'a, Val> {
    native::bome(function(cv.1))
}

/// Runs a function of the input and one argument.
fn with<'a>(mut cv: Cv<'a, Data>, function: impl FnOnce(Val, Val) -> ValR) -> jaq_core::ValXs<'a, Val> {
    let argument = cv.0.pop_var();
    native::bome(function(cv.1, argument))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_parse() {
        let own = jaq_core::load::parse(include_str!("definitions.jq"), |parser| parser.defs());
        assert!(own.is_some());
        for name in REPLACED {
            assert!(jaq_core::defs().any(|def| def.name == name), "{name}");
        }
    }
}
