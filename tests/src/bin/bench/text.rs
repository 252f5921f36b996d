//! Made-up source text, the same on every machine.

/// A small generator with a fixed sequence (splitmix64): what is measured must not change from run to run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).unwrap_or(0)
    }

    /// A number from 0 to 1.
    #[allow(clippy::cast_precision_loss)]
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn word(&mut self) -> &'static str {
        WORDS[self.below(WORDS.len())]
    }
}

const WORDS: &[&str] = &[
    "account",
    "buffer",
    "builder",
    "channel",
    "client",
    "config",
    "context",
    "count",
    "cursor",
    "descriptor",
    "entry",
    "error",
    "event",
    "field",
    "file",
    "frame",
    "guard",
    "handle",
    "header",
    "index",
    "input",
    "item",
    "key",
    "layout",
    "length",
    "limit",
    "line",
    "list",
    "message",
    "name",
    "node",
    "offset",
    "option",
    "output",
    "packet",
    "page",
    "parser",
    "path",
    "pool",
    "position",
    "queue",
    "range",
    "reader",
    "record",
    "request",
    "response",
    "result",
    "scope",
    "segment",
    "session",
    "size",
    "slice",
    "source",
    "state",
    "stream",
    "table",
    "target",
    "token",
    "value",
    "writer",
];

/// One line in so many declares a function, as in the crates of a source registry.
const FUNCTION_EVERY: usize = 36;
/// One function in so many matches the searched pattern.
const ASYNC_EVERY: usize = 580;

/// One awaited call in so many names a function of the searched kind without declaring it.
const AWAITED_EVERY: usize = 350;

/// About `size` bytes of lines that look like source text.
pub(crate) fn source(random: &mut Random, size: usize) -> String {
    let mut text = String::with_capacity(size + 128);
    while text.len() < size {
        let indent = "    ".repeat(random.below(4));
        text.push_str(&indent);
        line(random, &mut text);
        text.push('\n');
    }
    text
}

fn line(random: &mut Random, text: &mut String) {
    let (a, b, c) = (random.word(), random.word(), random.word());
    if random.below(FUNCTION_EVERY) == 0 {
        let suffix = if random.below(ASYNC_EVERY) == 0 { "_async" } else { "" };
        text.push_str(&format!(
            "pub fn {a}_{b}{suffix}(&mut self, {c}: usize) -> Result<(), Error> {{"
        ));
        return;
    }
    let made = match random.below(12) {
        0 | 1 => String::new(),
        2 => format!("/// The {a} of the {b}, or the last {c} if there is none — see also [`{a}::{c}`]."),
        3 => format!("// Without a {a} there is no {b} to {c}."),
        4 => format!("let {a} = self.{b}.{c}();"),
        5 => format!("if {a}.is_some() && {b}.{c} > 0 {{"),
        6 => format!("self.{a}.push({b}::new({c}));"),
        7 => format!("Some({a}) => {b}.{c}_with({a})?,"),
        8 => format!("assert_eq!({a}.{b}(), {c}, \"{a} differs\");"),
        9 => format!("use crate::{a}::{{{b}, {c}}};"),
        10 if random.below(AWAITED_EVERY) == 0 => format!("{a}.{b}_async({c}).await?;"),
        10 => format!("{a}.{b}({c}).await?;"),
        _ => "}".to_owned(),
    };
    text.push_str(&made);
}
