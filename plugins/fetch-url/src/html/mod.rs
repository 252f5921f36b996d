//! What lives here: HTML to Markdown or plain text, in one pass over the tokens.
//! What may call it: `answer`, with text that is decoded.
//! What it must not touch: the host; all it knows of the page is handed to it.
//!
//! There is no tree: time is linear in the input, memory is that of the output and of one token,
//! nothing recurses, and conversion stops once the output is longer than wanted. So pages made
//! to exhaust a parser (deep nesting, masses of attributes, formatting that is never closed) cost
//! no more than others.

mod attributes;
mod blocks;
mod escape;
mod inline;
mod lines;
mod links;
mod preformatted;
mod renderer;
mod tables;
mod tags;
mod tokens;

/// What HTML becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// The readable text alone.
    Text,
    /// CommonMark with tables and strikethrough as in GitHub Flavored Markdown.
    Markdown,
}

/// A converted document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Page {
    /// Its text, longer than the limit if it had to be cut.
    pub(crate) text: String,
    /// Its title, if it has one.
    pub(crate) title: Option<String>,
}

/// Converts a document found at `url`; `xml` says that `<tag/>` is an empty element, whatever
/// the tag. Stops soon after `limit` bytes of output.
pub(crate) fn convert(html: &str, style: Style, url: &str, xml: bool, limit: usize) -> Page {
    let renderer = renderer::Renderer::new(style, links::Base::new(url));
    tokens::run(html, renderer, xml, limit)
}

#[cfg(test)]
mod tests;
