//! Expressions: compiling one, saying where it is wrong, running it.

use jaq_core::compile::Undefined;
use jaq_core::load::{self, Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Exn, Filter, Vars};

use crate::builtins::{self, Data};
use crate::document::Place;
use crate::value::{Map, Val, shown};

/// What jq has and a query does not, with the reason.
const UNAVAILABLE: [(&str, &str); 8] = [
    ("input", "there is one input, which is `.`"),
    ("inputs", "there is one input, which is `.`"),
    ("input_line_number", "the input is one document, not lines"),
    ("now", "a query has no clock"),
    ("get_search_list", "there are no modules"),
    ("modulemeta", "there are no modules"),
    ("builtins", "the documentation lists them"),
    ("$__loc__", "an expression is in no file"),
];

/// Characters of the expression that a message quotes.
const QUOTED: usize = 40;

/// Bytes of an error that a query raised which a message holds.
const LONGEST_MESSAGE: usize = 2000;

/// A compiled expression.
pub(crate) struct Query {
    filter: Filter<Data>,
}

impl Query {
    /// Compiles an expression; an error says where it is wrong and what was expected.
    pub(crate) fn compile(expression: &str) -> Result<Self, String> {
        let arena = Arena::default();
        let program = File {
            code: expression,
            path: (),
        };
        let modules = Loader::new(builtins::definitions())
            .load(&arena, program)
            .map_err(|errors| first(errors, |error| unreadable(expression, error)))?;
        let filter = Compiler::default()
            .with_funs(builtins::natives())
            .with_global_vars(["$ENV"])
            .compile(modules)
            .map_err(|errors| first(errors, |error| undefined(expression, error)))?;
        Ok(Self { filter })
    }

    /// The outputs for an input, up to the first error.
    pub(crate) fn run(&self, input: Val) -> impl Iterator<Item = Result<Val, String>> {
        let environment = Val::object(Map::default());
        let context = Ctx::<Data>::new(&self.filter.lut, Vars::new([environment]));
        self.filter
            .id
            .run((context, input))
            .map(|output| output.map_err(raised))
    }
}

/// The first of several errors; the later ones are often caused by it.
fn first<P, E>(errors: load::Errors<&str, P, E>, describe: impl FnOnce(E) -> Option<String>) -> String {
    let error = errors.into_iter().next().and_then(|(_, error)| describe(error));
    error.unwrap_or_else(|| "it cannot be compiled".to_owned())
}

fn unreadable(expression: &str, error: load::Error<&str>) -> Option<String> {
    Some(match error {
        load::Error::Io(modules) => {
            let (name, _) = modules.first()?;
            let place = place(expression, name);
            format!("{place}: modules can be neither imported nor included")
        }
        load::Error::Lex(errors) => {
            let (expected, at) = errors.first()?;
            format!("{}: expected {}", place(expression, at), expected.as_str())
        }
        load::Error::Parse(errors) => {
            let (expected, at) = errors.first()?;
            let expected = match expected {
                load::parse::Expect::Just(word) => format!("`{word}`"),
                kind => kind.as_str().to_owned(),
            };
            format!("{}: expected {expected}", place(expression, at))
        }
    })
}

fn undefined(expression: &str, errors: Vec<(&str, Undefined)>) -> Option<String> {
    let (name, kind) = errors.into_iter().next()?;
    let place = place(expression, name);
    let known = UNAVAILABLE.iter().find(|(unavailable, _)| *unavailable == name);
    let reason = known.map_or(String::new(), |(_, reason)| format!(": {reason}"));
    Some(match kind {
        Undefined::Filter(count) if reason.is_empty() => {
            format!("{place}: the function `{name}/{count}` is not defined{}", others(name))
        }
        Undefined::Filter(count) => format!("{place}: the function `{name}/{count}` is not available{reason}"),
        Undefined::Mod => format!("{place}: there is no module `{name}`; modules are not available"),
        Undefined::Var => format!("{place}: the variable `{name}` is not defined{reason}"),
        Undefined::Label => format!("{place}: there is no `label {name}` around this `break`"),
        other => format!("{place}: the {} `{name}` is not defined", other.as_str()),
    })
}

/// The functions of the same name that take other numbers of arguments.
fn others(name: &str) -> String {
    let defined = builtins::definitions()
        .filter(|def| def.name == name)
        .map(|def| def.args.len());
    let native = builtins::natives()
        .filter(|(native, ..)| *native == name)
        .map(|(_, arguments, _)| arguments.len());
    let mut counts: Vec<usize> = defined.chain(native).collect();
    counts.sort_unstable();
    counts.dedup();
    let names: Vec<String> = counts.iter().map(|count| format!("`{name}/{count}`")).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!(", but {} is", names.join(", ")),
    }
}

/// Where a part of the expression begins, and what stands there.
fn place(expression: &str, part: &str) -> String {
    let offset = part.as_ptr().addr().wrapping_sub(expression.as_ptr().addr());
    // A part that is not of this expression would be of the functions that come with the tool.
    let Some(rest) = expression.get(offset..) else {
        return "within a function".to_owned();
    };
    let place = Place::of(expression.as_bytes(), offset);
    let line = rest.lines().next().unwrap_or_default().trim_end();
    if line.is_empty() {
        let end = if rest.trim().is_empty() { "expression" } else { "line" };
        return format!("{place}, at the end of the {end}");
    }
    let quoted: String = line.chars().take(QUOTED).collect();
    let more = if quoted.len() < line.len() { "…" } else { "" };
    format!("{place}, at `{quoted}{more}`")
}

/// What ended the evaluation.
fn raised(exception: Exn<'_, Val>) -> String {
    let error = match exception.get_err() {
        Ok(error) => error.into_val(),
        Err(exception) => {
            return match exception.get_halt() {
                Ok(_) => "`halt` was called, which gives no result here",
                Err(_) => "`break` left the expression",
            }
            .to_owned();
        }
    };
    match error {
        Val::Str(message) => {
            let message = message.as_str();
            let end = message.floor_char_boundary(LONGEST_MESSAGE);
            let more = if end < message.len() { "…" } else { "" };
            format!("{}{more}", &message[..end])
        }
        other => format!("the error {}", shown(&other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(expression: &str) -> String {
        match Query::compile(expression) {
            Ok(_) => panic!("{expression} compiles"),
            Err(message) => message,
        }
    }

    #[test]
    fn errors_point_at_the_place() {
        let cases = [
            (
                ".[",
                "line 1, column 3, at the end of the expression: expected closing bracket",
            ),
            (".a |\n  .b c", "line 2, column 6, at `c`: expected nothing"),
            ("1 +", "line 1, column 4, at the end of the expression: expected term"),
            ("if . then 1 els 2 end", "at `els 2 end`"),
            ("{a b}", "line 1, column 4, at `b}`"),
            (
                ".a | fooo(1)",
                "line 1, column 6, at `fooo(1)`: the function `fooo/1` is not defined",
            ),
            ("limit(1)", "`limit/1` is not defined, but `limit/2` is"),
            (
                ". | input",
                "column 5, at `input`: the function `input/0` is not available: there is one input",
            ),
            ("$x", "the variable `$x` is not defined"),
            ("$__loc__", "an expression is in no file"),
            ("break $x", "no `label $x`"),
            ("import \"a\" as a; .", "modules can be neither imported nor included"),
            ("include \"a\"; .", "modules can be neither imported nor included"),
            ("a::b", "there is no module `a`"),
            ("\"\\x\"", "expected string escape sequence"),
            ("@nosuch", "`@nosuch/0` is not defined"),
            ("🙂", "at `🙂`: expected token"),
            ("", "at the end of the expression: expected term"),
            (&"é(".repeat(50), "…"),
        ];
        for (expression, part) in cases {
            let message = error(expression);
            assert!(message.contains(part), "{expression}: {message}");
        }
    }
}
