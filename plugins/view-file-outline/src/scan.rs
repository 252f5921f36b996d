//! Languages without a grammar: lines that look like declarations.

use crate::outline;

/// A language that is scanned line by line.
#[derive(Debug)]
pub(crate) struct Scanned {
    /// As results and messages call it.
    pub(crate) name: &'static str,
    /// File name extensions, lower case, without the dot.
    pub(crate) extensions: &'static [&'static str],
    /// A line that starts with one of these, after its indentation, is reported.
    prefixes: &'static [&'static str],
    /// A line that ends with one of these is reported too.
    suffixes: &'static [&'static str],
}

/// All of them.
pub(crate) static SCANNED: [Scanned; 2] = [
    Scanned {
        name: "Ruby",
        extensions: &["rb"],
        prefixes: &["def ", "class ", "module ", "require ", "require_relative "],
        suffixes: &[],
    },
    Scanned {
        name: "Shell",
        extensions: &["bash", "sh"],
        prefixes: &["function "],
        suffixes: &["() {", "(){"],
    },
];

/// What a reader must know of a scanned outline.
pub(crate) const NOTE: &str = "Found line by line, not a parse. Each line that begins like a declaration (in Shell also \
     one that ends like a function's first line) is listed, and nothing else: a declaration of several lines shows \
     only its first, lines inside strings and comments are listed as well, and a local or nested definition looks \
     like any other, with the kept indentation as the only hint. A declaration that does not start with a keyword is \
     missing, so absence from this list proves nothing; read the lines to be sure.";

/// The language of files with this extension (lower case, no dot), if it is a scanned one.
pub(crate) fn by_extension(extension: &str) -> Option<&'static Scanned> {
    SCANNED.iter().find(|language| language.extensions.contains(&extension))
}

impl Scanned {
    /// The outline of a file.
    pub(crate) fn outline(&self, source: &str) -> String {
        let mut outline = String::new();
        for (number, line) in source.split('\n').enumerate() {
            let line = line.trim_end_matches([' ', '\t', '\r']);
            if self.is_reported(line.trim_start()) {
                outline::line(&mut outline, number + 1, std::iter::once(line));
            }
        }
        outline
    }

    fn is_reported(&self, line: &str) -> bool {
        self.prefixes.iter().any(|prefix| line.starts_with(prefix))
            || self.suffixes.iter().any(|suffix| line.ends_with(suffix))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ruby_lines_by_their_first_word() {
        let source = "require 'set'\r\nrequire_relative \"a\"\nmodule M\n  class C < D\n    def m(a) \t\n      x = 1\n    end\n  end\nend\ndefine\n";
        let expected = "    1  require 'set'\n    2  require_relative \"a\"\n    3  module M\n    4    class C < D\n    5      def m(a)\n";
        assert_eq!(by_extension("rb").unwrap().outline(source), expected);
    }

    #[test]
    fn shell_functions_by_either_form() {
        let source = "#!/bin/sh\nfoo() {\n  echo foo\n}\nbar(){\n:\n}\nfunction baz {\n}\nfunctional\n";
        let expected = "    2  foo() {\n    5  bar(){\n    8  function baz {\n";
        assert_eq!(by_extension("bash").unwrap().outline(source), expected);
        assert_eq!(by_extension("sh").unwrap().outline(""), "");
    }
}
