//! From the tokens of HTML to the elements that matter.

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, State, Tokenizer};

use super::Page;
use super::attributes::{Attributes, Name};
use super::renderer::Renderer;
use super::tags::{self, Tag};

/// The longest title, in bytes.
const LONGEST_TITLE: usize = 512;

/// Why tokenizing is interrupted.
enum Step {
    /// The content of the element that just began is tokenized in another way.
    Content(State),
    /// There is enough output.
    Full,
}

/// Converts a document.
pub(super) fn run(html: &str, renderer: Renderer, xml: bool, limit: usize) -> Page {
    let mut elements = Elements::new(renderer, xml);
    let emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| {
        let content = elements.take(event);
        if elements.renderer.len() > limit {
            Some(Step::Full)
        } else {
            content.map(Step::Content)
        }
    });
    let mut tokenizer = Tokenizer::new_with_emitter(html, emitter);
    while let Some(Ok(Step::Content(state))) = tokenizer.next() {
        tokenizer.set_state(state);
    }
    drop(tokenizer);
    Page {
        title: elements.title(),
        text: elements.renderer.finish(),
    }
}

/// An element that is left out, and what of its content has to be known to find its end.
struct Dropped {
    name: Vec<u8>,
    /// Elements of this name that are open.
    depth: usize,
    /// Elements in it that may hold HTML and are open.
    islands: usize,
}

impl Dropped {
    fn is_svg(&self) -> bool {
        self.name == b"svg"
    }

    fn end(&mut self, name: &[u8]) {
        if self.name == name {
            self.depth -= 1;
        } else if tags::holds_html(name) {
            self.islands = self.islands.saturating_sub(1);
        }
    }
}

struct Elements {
    renderer: Renderer,
    /// Whether `<tag/>` is an empty element, whatever the tag.
    xml: bool,
    /// The start tag that is being read.
    name: Vec<u8>,
    attributes: Attributes,
    attribute: Option<Name>,
    dropped: Option<Dropped>,
    in_title: bool,
    /// The content of the first title.
    title: Option<String>,
}

impl Elements {
    fn new(renderer: Renderer, xml: bool) -> Self {
        Self {
            renderer,
            xml,
            name: Vec::new(),
            attributes: Attributes::default(),
            attribute: None,
            dropped: None,
            in_title: false,
            title: None,
        }
    }

    /// The title of the document, in one line.
    fn title(&mut self) -> Option<String> {
        let words: Vec<&str> = self.title.as_deref()?.split_whitespace().collect();
        let mut title = words.join(" ");
        title.truncate(title.floor_char_boundary(LONGEST_TITLE));
        (!title.is_empty()).then_some(title)
    }

    /// Takes the next event; says how content that it begins is tokenized, if not as markup.
    fn take(&mut self, event: CallbackEvent<'_>) -> Option<State> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.name.clear();
                self.name.extend_from_slice(name);
                self.attributes.clear();
                self.attribute = None;
            }
            CallbackEvent::AttributeName { name } => self.attribute = Name::of(name),
            CallbackEvent::AttributeValue { value } => {
                if let Some(name) = self.attribute.take() {
                    self.attributes.set(name, value);
                }
            }
            CallbackEvent::CloseStartTag { self_closing } => return self.start(self_closing),
            CallbackEvent::EndTag { name } => self.end(name),
            CallbackEvent::String { value } => self.text(value),
            CallbackEvent::Comment { .. } | CallbackEvent::Doctype { .. } | CallbackEvent::Error(_) => {}
        }
        None
    }

    fn start(&mut self, self_closing: bool) -> Option<State> {
        let name = self.name.as_slice();
        if let Some(dropped) = &mut self.dropped {
            let in_markup = dropped.islands > 0 || !dropped.is_svg();
            if in_markup || !tags::ends_svg(name) {
                if !self_closing && dropped.name == name {
                    dropped.depth += 1;
                } else if !self_closing && tags::holds_html(name) {
                    dropped.islands += 1;
                }
                return tags::content_state(name).filter(|_| in_markup);
            }
            self.dropped = None;
        }
        let empty = self_closing && self.xml;
        if tags::is_dropped(name) {
            if empty || (self_closing && name == b"svg") {
                return None;
            }
            self.dropped = Some(Dropped {
                name: name.to_vec(),
                depth: 1,
                islands: 0,
            });
            return tags::content_state(name);
        }
        let tag = tags::meaning(name);
        if let Some(tag) = tag {
            self.renderer.start(tag, &self.attributes);
            if empty && tag != Tag::Break {
                self.renderer.end(tag);
            }
        }
        self.in_title = tag == Some(Tag::Title) && !empty;
        tags::content_state(name).filter(|_| !empty)
    }

    fn end(&mut self, name: &[u8]) {
        if let Some(dropped) = &mut self.dropped {
            dropped.end(name);
            if dropped.depth == 0 {
                self.dropped = None;
            }
            return;
        }
        if std::mem::take(&mut self.in_title) {
            self.title.get_or_insert_default();
        } else if let Some(tag) = tags::meaning(name) {
            self.renderer.end(tag);
        }
    }

    fn text(&mut self, text: &[u8]) {
        if self.dropped.is_some() {
            return;
        }
        let text = String::from_utf8_lossy(text);
        if !self.in_title {
            self.renderer.text(&text);
        } else if self.title.is_none() {
            self.title = Some(text.into_owned());
        }
    }
}
