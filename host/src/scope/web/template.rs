//! Values of headers with variables: `$NAME`, `${NAME}`, and `$$` for a dollar sign.

/// A value, taken apart once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Template(Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Variable(String),
}

impl Template {
    /// Reads a value.
    ///
    /// # Errors
    /// What is wrong, without the value.
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            let (before, after) = (&rest[..at], &rest[at + 1..]);
            pieces.push(Piece::Text(before.to_owned()));
            if let Some(after) = after.strip_prefix('$') {
                pieces.push(Piece::Text("$".to_owned()));
                rest = after;
            } else if let Some(braced) = after.strip_prefix('{') {
                let (name, after) = braced.split_once('}').ok_or("a ${ is not closed; write ${NAME}")?;
                if name.is_empty() || name_length(name) != name.len() {
                    return Err("between ${ and } stands no name of a variable; write ${NAME}");
                }
                pieces.push(Piece::Variable(name.to_owned()));
                rest = after;
            } else {
                let length = name_length(after);
                if length == 0 {
                    return Err("a $ has no name of a variable after it; write $NAME, or $$ for a dollar sign");
                }
                pieces.push(Piece::Variable(after[..length].to_owned()));
                rest = &after[length..];
            }
        }
        pieces.push(Piece::Text(rest.to_owned()));
        Ok(Self(pieces))
    }

    /// The value with all variables filled in.
    ///
    /// # Errors
    /// The name of a variable that is unset or empty.
    pub(super) fn expand(&self, environment: &dyn Fn(&str) -> Option<String>) -> Result<String, &str> {
        let mut value = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => value.push_str(text),
                Piece::Variable(name) => {
                    let found = environment(name).filter(|found| !found.is_empty());
                    value.push_str(&found.ok_or(name.as_str())?);
                }
            }
        }
        Ok(value)
    }
}

/// Bytes of the name that the text begins with.
fn name_length(text: &str) -> usize {
    if text.starts_with(|char: char| char.is_ascii_digit()) {
        return 0;
    }
    let end = text.find(|char: char| !(char.is_ascii_alphanumeric() || char == '_'));
    end.unwrap_or(text.len())
}
