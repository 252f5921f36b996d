//! What lives here: JSON values as queries see them — 16 bytes each, exact numbers, jq's rules.
//! What may call it: the parser of documents, the functions of the language, the evaluator.
//! What it must not touch: files, the call, anything but values.

mod access;
mod arithmetic;
mod map;
mod number;
mod order;
mod text;
mod update;
mod write;

use std::rc::Rc;

use num_bigint::BigInt;

pub(crate) use access::subsequences;
pub(crate) use arithmetic::{LONGEST_STRING, split};
pub(crate) use map::Map;
pub(crate) use number::Number;
pub(crate) use order::order;
pub(crate) use text::Text;
pub(crate) use update::delete;
pub(crate) use write::{DEEPEST, Sink, TooDeep, shown, write, write_nested};

/// An error that a query raised.
pub(crate) type Error = jaq_core::Error<Val>;
/// A value or an error.
pub(crate) type ValR = jaq_core::ValR<Val>;

/// A JSON value.
///
/// It is not the value type that comes with the engine, because that one holds integers in a
/// machine word, which has 32 bits in a plugin, and takes several allocations per object field,
/// so that a document of 50 MB would not fit into a plugin's memory.
#[derive(Clone, Debug, Default)]
pub(crate) enum Val {
    #[default]
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// An integer that does not fit an `i64`, as a result of arithmetic.
    Big(Rc<BigInt>),
    /// A number as it is written, that is neither a small integer nor the result of arithmetic.
    Literal(Text),
    Str(Text),
    Arr(Rc<Vec<Val>>),
    Obj(Rc<Map>),
}

#[cfg(target_arch = "wasm32")]
const _: () = assert!(size_of::<Val>() == 16);

impl Val {
    /// An array.
    pub(crate) fn array(items: Vec<Self>) -> Self {
        Self::Arr(Rc::new(items))
    }

    /// An object.
    pub(crate) fn object(map: Map) -> Self {
        Self::Obj(Rc::new(map))
    }

    /// An object with these fields.
    pub(crate) fn fields<const N: usize>(fields: [(&str, Self); N]) -> Self {
        Self::object(Map::from_fields(
            fields.into_iter().map(|(key, value)| (Text::from(key), value)),
        ))
    }

    /// A string.
    pub(crate) fn str(text: impl Into<Text>) -> Self {
        Self::Str(text.into())
    }

    /// A count.
    pub(crate) fn count(count: usize) -> Self {
        i64::try_from(count).map_or(Self::Float(count as f64), Self::Int)
    }

    /// The name of its type, as the function `type` says it.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Int(_) | Self::Float(_) | Self::Big(_) | Self::Literal(_) => "number",
            Self::Str(_) => "string",
            Self::Arr(_) => "array",
            Self::Obj(_) => "object",
        }
    }

    /// Type and value, for error messages.
    pub(crate) fn described(&self) -> String {
        format!("{} ({})", self.type_name(), shown(self))
    }

    /// The string, or an error that says what was to be done with it.
    pub(crate) fn expect_str(&self, what: &str) -> Result<&Text, Error> {
        match self {
            Self::Str(text) => Ok(text),
            other => Err(error(format!(
                "{} cannot be {what}, as it is not a string",
                other.described()
            ))),
        }
    }

    /// The array, or an error that says what was to be done with it.
    pub(crate) fn expect_array(self, what: &str) -> Result<Rc<Vec<Self>>, Error> {
        match self {
            Self::Arr(items) => Ok(items),
            other => Err(error(format!(
                "{} cannot be {what}, as it is not an array",
                other.described()
            ))),
        }
    }

    /// The number, or an error.
    pub(crate) fn expect_f64(&self) -> Result<f64, Error> {
        self.as_f64()
            .ok_or_else(|| error(format!("{} is not a number", self.described())))
    }
}

/// An error with a message.
pub(crate) fn error(message: impl Into<String>) -> Error {
    Error::new(Val::str(message.into()))
}

/// The content, without a copy if nobody else holds it.
pub(crate) fn unshared<T: Clone>(shared: Rc<T>) -> T {
    Rc::unwrap_or_clone(shared)
}

impl From<bool> for Val {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<isize> for Val {
    fn from(value: isize) -> Self {
        Self::Int(value as i64)
    }
}

impl From<String> for Val {
    fn from(value: String) -> Self {
        Self::str(value)
    }
}

impl From<jaq_core::val::Range<Val>> for Val {
    /// The path of a slice: `{"start": …, "end": …}`.
    fn from(range: jaq_core::val::Range<Val>) -> Self {
        Self::fields([
            ("start", range.start.unwrap_or_default()),
            ("end", range.end.unwrap_or_default()),
        ])
    }
}

impl FromIterator<Self> for Val {
    fn from_iter<T: IntoIterator<Item = Self>>(items: T) -> Self {
        Self::array(items.into_iter().collect())
    }
}
