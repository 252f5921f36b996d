//! The form of a language's table.

/// What a node means where declarations are looked for: at the top of a file, among the members
/// of a declaration, or inside a node that is looked through. A kind without an entry is passed
/// over with all that it contains.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Node {
    /// It is a declaration.
    Declaration,
    /// It is a declaration if the child in the field has one of the kinds, and passed over
    /// otherwise.
    DeclarationIf(&'static str, &'static [&'static str]),
    /// It is a declaration where it is a member of one, and passed over elsewhere.
    Member,
    /// It declares nothing itself; its children in these fields are looked at, or all children if
    /// no field is named.
    Through(&'static [&'static str]),
}

/// What happens to a part of a declaration when its text is written. A part without an entry is
/// kept as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// It is left out: the body of a function.
    Cut,
    /// It is replaced by `{}`: the body of a function literal, which would not read as one
    /// without.
    Empty,
    /// It is left out, and what it declares follows as declarations of their own.
    Members,
    /// It is replaced by `…` if it takes several lines or is long, unless it is a function or
    /// class, of which only the body goes: an initialiser.
    Value,
    /// What follows it is left out.
    Last,
}

/// A demand on the shape of a tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chain {
    /// The kind that the demand is about.
    pub(crate) kind: &'static str,
    /// The field by which to go down, repeatedly.
    pub(crate) field: &'static str,
    /// The kind that must be met.
    pub(crate) reaches: &'static str,
    /// What is wrong if it is not.
    pub(crate) otherwise: &'static str,
}

/// What the nodes of a grammar mean to an outline.
#[derive(Debug)]
pub(crate) struct Table {
    /// The table of the language that this one extends; its entries apply where this has none.
    pub(crate) base: Option<&'static Table>,
    /// The kind that must come first in a file, which then holds nothing but declarations. Go's
    /// grammar accepts what the language does not: statements outside functions, no package.
    pub(crate) first: Option<&'static str>,
    /// A kind that must lead to another along a field, and what is wrong if it does not. C's grammar
    /// takes `class A { … }` for a function, and a header for C that is not.
    pub(crate) leads_to: Option<Chain>,
    /// Kinds of nodes, and what they mean where declarations are looked for.
    pub(crate) nodes: &'static [(&'static str, Node)],
    /// The kind of a node; the field, or else the kind, of its child; what happens to the child.
    pub(crate) parts: &'static [(&'static str, &'static str, Part)],
    /// Kinds of comments, which are left out everywhere.
    pub(crate) comments: &'static [&'static str],
    /// Kinds of attributes, decorators and annotations, which are left out everywhere, so that a
    /// declaration starts at its own first line and not at that of what is attached to it.
    pub(crate) attributes: &'static [&'static str],
    /// Kinds whose text is taken as it stands, blanks and line breaks included.
    pub(crate) strings: &'static [&'static str],
}

impl Table {
    fn chain(&'static self) -> impl Iterator<Item = &'static Self> {
        std::iter::successors(Some(self), |table| table.base)
    }

    /// What a node of this kind means where declarations are looked for.
    pub(crate) fn node(&'static self, kind: &str) -> Option<Node> {
        self.chain()
            .flat_map(|table| table.nodes)
            .find(|(name, _)| *name == kind)
            .map(|(_, node)| *node)
    }

    /// What happens to a child of a node.
    pub(crate) fn part(&'static self, parent: &str, field: Option<&str>, kind: &str) -> Option<Part> {
        self.chain()
            .flat_map(|table| table.parts)
            .find(|(name, child, _)| *name == parent && (Some(*child) == field || *child == kind))
            .map(|(_, _, part)| *part)
    }

    /// Whether nodes of this kind are functions or classes: their bodies go, the rest stays.
    pub(crate) fn has_body(&'static self, kind: &str) -> bool {
        self.chain()
            .flat_map(|table| table.parts)
            .any(|(name, _, part)| *name == kind && matches!(part, Part::Empty | Part::Members))
    }

    /// Whether nodes of this kind are comments.
    pub(crate) fn is_comment(&'static self, kind: &str) -> bool {
        self.chain().any(|table| table.comments.contains(&kind))
    }

    /// Whether nodes of this kind are attributes, decorators or annotations.
    pub(crate) fn is_attribute(&'static self, kind: &str) -> bool {
        self.chain().any(|table| table.attributes.contains(&kind))
    }

    /// Whether the text of nodes of this kind is taken as it stands.
    pub(crate) fn is_string(&'static self, kind: &str) -> bool {
        self.chain().any(|table| table.strings.contains(&kind))
    }
}
