//! What the elements of HTML mean for readable text.

use html5gum::State;

/// What an element means. Those that mean nothing are not in here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// Starts a line, for example `dt`.
    Line,
    /// A part of the page, for example `div`.
    Block,
    /// Stands apart from what is around it, for example `p`.
    Paragraph,
    /// With its level.
    Heading(u8),
    List {
        ordered: bool,
    },
    Item,
    Quote,
    Preformatted,
    Code,
    Strong,
    Emphasis,
    Strike,
    /// `q`, which browsers put into quotation marks.
    Quotation,
    Link,
    /// `sup`
    Superscript,
    Image,
    /// `br`
    Break,
    /// `hr`
    Rule,
    Table,
    /// `thead`
    TableHead,
    Row,
    Cell {
        header: bool,
    },
    Title,
    Base,
}

/// The meaning of an element, by its name in lower case.
pub(super) fn meaning(name: &[u8]) -> Option<Tag> {
    Some(match name {
        b"dd" | b"dt" | b"legend" | b"optgroup" | b"option" | b"summary" => Tag::Line,
        b"address" | b"article" | b"aside" | b"body" | b"button" | b"caption" | b"center" | b"details" | b"dialog"
        | b"div" | b"figcaption" | b"fieldset" | b"figure" | b"footer" | b"form" | b"header" | b"hgroup" | b"html"
        | b"main" | b"nav" | b"search" | b"section" | b"select" | b"textarea" => Tag::Block,
        b"p" | b"dl" => Tag::Paragraph,
        b"h1" => Tag::Heading(1),
        b"h2" => Tag::Heading(2),
        b"h3" => Tag::Heading(3),
        b"h4" => Tag::Heading(4),
        b"h5" => Tag::Heading(5),
        b"h6" => Tag::Heading(6),
        b"ul" | b"menu" | b"dir" => Tag::List { ordered: false },
        b"ol" => Tag::List { ordered: true },
        b"li" => Tag::Item,
        b"blockquote" => Tag::Quote,
        b"pre" | b"listing" | b"xmp" | b"plaintext" => Tag::Preformatted,
        b"code" | b"kbd" | b"samp" | b"tt" => Tag::Code,
        b"b" | b"strong" => Tag::Strong,
        b"em" | b"i" => Tag::Emphasis,
        b"del" | b"s" | b"strike" => Tag::Strike,
        b"q" => Tag::Quotation,
        b"a" => Tag::Link,
        b"sup" => Tag::Superscript,
        b"img" => Tag::Image,
        b"br" => Tag::Break,
        b"hr" => Tag::Rule,
        b"table" => Tag::Table,
        b"thead" => Tag::TableHead,
        b"tr" => Tag::Row,
        b"td" => Tag::Cell { header: false },
        b"th" => Tag::Cell { header: true },
        b"title" => Tag::Title,
        b"base" => Tag::Base,
        _ => return None,
    })
}

/// Whether an element is left out with all that is in it.
pub(super) fn is_dropped(name: &[u8]) -> bool {
    matches!(
        name,
        b"script" | b"style" | b"noscript" | b"template" | b"svg" | b"iframe" | b"noembed" | b"noframes"
    )
}

/// How the content of an element is tokenized, if it is not markup (HTML Standard, 13.2.6.4).
/// `noscript` is not markup where scripts run; here it is left out either way, and this way
/// ends it even if something in it is not closed.
pub(super) fn content_state(name: &[u8]) -> Option<State> {
    match name {
        b"title" | b"textarea" => Some(State::RcData),
        b"style" | b"xmp" | b"iframe" | b"noembed" | b"noframes" | b"noscript" => Some(State::RawText),
        b"script" => Some(State::ScriptData),
        b"plaintext" => Some(State::PlainText),
        _ => None,
    }
}

/// Whether an element ends the drawing in which it begins (HTML Standard, 13.2.6.5).
pub(super) fn ends_svg(name: &[u8]) -> bool {
    matches!(
        name,
        b"b" | b"big"
            | b"blockquote"
            | b"body"
            | b"br"
            | b"center"
            | b"code"
            | b"dd"
            | b"div"
            | b"dl"
            | b"dt"
            | b"em"
            | b"embed"
            | b"h1"
            | b"h2"
            | b"h3"
            | b"h4"
            | b"h5"
            | b"h6"
            | b"head"
            | b"hr"
            | b"i"
            | b"img"
            | b"li"
            | b"listing"
            | b"menu"
            | b"meta"
            | b"nobr"
            | b"ol"
            | b"p"
            | b"pre"
            | b"ruby"
            | b"s"
            | b"small"
            | b"span"
            | b"strong"
            | b"strike"
            | b"sub"
            | b"sup"
            | b"table"
            | b"tt"
            | b"u"
            | b"ul"
            | b"var"
    )
}

/// Whether HTML may stand in this element of a drawing (HTML Standard, 13.2.4.2).
pub(super) fn holds_html(name: &[u8]) -> bool {
    matches!(name, b"foreignobject" | b"desc" | b"title")
}
